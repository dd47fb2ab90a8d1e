// The board as a picture in a file: a copy of the drawing with its looks written into it, so that it needs no style sheet.

const SVG = 'http://www.w3.org/2000/svg';
const XHTML = 'http://www.w3.org/1999/xhtml';
const PNG_SCALE = 2; // pixels of the file for one on the screen

/** What drawings are made of; anything else is as it would be without a style sheet. */
const LOOKS = [
  'fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap', 'stroke-linejoin', 'opacity', 'fill-opacity',
  'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor', 'dominant-baseline', 'letter-spacing', 'transform',
  'visibility', 'paint-order',
];
const LOOKS_OF_TEXT = [
  'display', 'color', 'background-color', 'border', 'border-radius', 'padding', 'margin', 'width', 'height', 'min-width',
  'min-height', 'max-width', 'flex', 'flex-direction', 'flex-wrap', 'gap', 'align-items', 'justify-content', 'grid-template-columns',
  'grid-column', 'grid-row', 'box-sizing', 'line-height', 'text-align', 'position', 'top', 'left', 'right', 'bottom', 'overflow', 'list-style',
];

/** The name under which looks wait: as a style they would be refused by the page's own policy, which allows none in the document. */
const LOOK = 'data-look';

function copyLooks(from: Element, to: Element): void {
  const looks = getComputedStyle(from);
  const isDrawing = from.namespaceURI === SVG;
  const names = isDrawing && from.tagName !== 'svg' ? LOOKS : [...LOOKS, ...LOOKS_OF_TEXT];
  const style = names.map((name) => `${name}:${looks.getPropertyValue(name)}`).join(';');
  for (const name of [...to.attributes].map((one) => one.name))
    if (/^(class|style|role|tabindex|aria-.*|data-.*)$/.test(name)) to.removeAttribute(name);
  to.setAttribute(LOOK, style);
  [...from.children].forEach((child, i) => {
    const copy = to.children[i];
    if (copy !== undefined) copyLooks(child, copy);
  });
}

/** The drawing as the text of an SVG file. */
export function pictureOf(drawing: Element): string {
  const pictures = drawing.querySelectorAll('svg.picture');
  const [only] = pictures;
  const isOne = pictures.length === 1 && only !== undefined;
  const source = isOne ? only : drawing;
  const { width, height } = source.getBoundingClientRect();
  const copy = source.cloneNode(true) as Element;
  copyLooks(source, copy);
  let root = copy;
  if (!isOne) {
    root = document.createElementNS(SVG, 'svg');
    root.setAttribute('viewBox', `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`);
    const inside = document.createElementNS(SVG, 'foreignObject');
    inside.setAttribute('width', '100%');
    inside.setAttribute('height', '100%');
    copy.setAttribute('xmlns', XHTML);
    inside.append(copy);
    root.append(inside);
  }
  const paper = getComputedStyle(document.body).getPropertyValue('--bg');
  root.setAttribute(LOOK, `${root.getAttribute(LOOK) ?? ''};background:${paper};max-width:none;max-height:none`);
  root.setAttribute('width', String(Math.ceil(width)));
  root.setAttribute('height', String(Math.ceil(height)));
  return new XMLSerializer().serializeToString(root).replaceAll(` ${LOOK}="`, ' style="');
}

/** The same as the bytes of a PNG file; null when the browser cannot make one. */
export async function pixelsOf(svg: string): Promise<Blob | null> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  try {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * PNG_SCALE;
    canvas.height = image.naturalHeight * PNG_SCALE;
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  } catch {
    return null;
  }
}

/** Hands a file to whoever sits here. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  window.setTimeout(() => URL.revokeObjectURL(address), 0);
}
