// A very small way to write what a page should look like as a function of its state: h() describes, patch() changes the
// document to match. Elements live on as long as tag and key stay the same, so focus, scrolling and transitions survive.

export type Props = Record<string, unknown>;
export type Child = VNode | string | number | false | null | undefined | Child[];

export interface VNode {
  tag: string;
  key: string | undefined;
  props: Props;
  children: (VNode | string)[];
}

type Handlers = Record<string, ((event: Event) => void) | undefined>;

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';

const handlers = new WeakMap<Element, Handlers>();
const drawn = new WeakMap<Element, VNode>();

function flatten(children: Child[], out: (VNode | string)[]): (VNode | string)[] {
  for (const child of children) {
    if (Array.isArray(child)) flatten(child, out);
    else if (child !== null && child !== undefined && child !== false)
      out.push(typeof child === 'object' ? child : String(child));
  }
  return out;
}

/** Describes an element. Props are attributes; `onclick` and the like are handlers, `style` is an object of properties,
 * `key` keeps the element through changes of its neighbours, `value` and `checked` are set as properties. */
export function h(tag: string, props: Props | null, ...children: Child[]): VNode {
  const { key, ...rest } = props ?? {};
  return {
    tag,
    key: key === undefined ? undefined : String(key),
    props: rest,
    children: flatten(children, []),
  };
}

function setHandler(el: Element, name: string, handler: unknown): void {
  let own = handlers.get(el);
  if (own === undefined) {
    own = {};
    handlers.set(el, own);
  }
  const type = name.slice(2);
  // One listener per type for the life of the element; what it calls changes with every drawing.
  if (!(type in own)) el.addEventListener(type, (event) => handlers.get(el)?.[type]?.(event));
  own[type] = typeof handler === 'function' ? (handler as (event: Event) => void) : undefined;
}

function setStyle(el: Element, old: unknown, next: unknown): void {
  const style = (el as HTMLElement).style;
  const before = (old ?? {}) as Record<string, string>;
  const after = (next ?? {}) as Record<string, string>;
  for (const name of Object.keys(before)) if (!(name in after)) style.removeProperty(name);
  for (const [name, value] of Object.entries(after))
    if (before[name] !== value) style.setProperty(name, value);
}

function setProp(el: Element, name: string, old: unknown, next: unknown): void {
  if (name.startsWith('on')) {
    setHandler(el, name, next);
  } else if (name === 'style') {
    setStyle(el, old, next);
  } else if ((name === 'value' && el.tagName !== 'OPTION') || name === 'checked') {
    const input = el as HTMLInputElement;
    if (name === 'checked') input.checked = next === true;
    else if (input.value !== String(next ?? '')) input.value = String(next ?? '');
  } else if (old !== next) {
    if (next === undefined || next === null || next === false) el.removeAttribute(name);
    else el.setAttribute(name, next === true ? '' : String(next));
  }
}

function setProps(el: Element, old: Props, next: Props): void {
  for (const name of Object.keys(old)) if (!(name in next)) setProp(el, name, old[name], undefined);
  for (const [name, value] of Object.entries(next)) setProp(el, name, old[name], value);
}

function create(node: VNode | string, namespace: string): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const own = node.tag === 'svg' ? SVG : namespace;
  const el = document.createElementNS(own, node.tag);
  drawn.set(el, { ...node, props: {}, children: [] });
  update(el, node, own);
  return el;
}

function update(el: Element, node: VNode, namespace: string): void {
  const old = drawn.get(el);
  const within = node.tag === 'foreignObject' ? HTML : namespace;
  // Options must be there before the value that selects one of them.
  const isSelect = node.tag === 'select';
  if (!isSelect) setProps(el, old?.props ?? {}, node.props);
  updateChildren(el, node.children, within);
  if (isSelect) setProps(el, old?.props ?? {}, node.props);
  drawn.set(el, node);
}

function fits(dom: Node, node: VNode | string): boolean {
  if (typeof node === 'string') return dom.nodeType === Node.TEXT_NODE;
  const old = drawn.get(dom as Element);
  return old !== undefined && old.tag === node.tag && old.key === node.key;
}

function updateChildren(parent: Element, children: (VNode | string)[], namespace: string): void {
  const keyed = new Map<string, Element>();
  for (const dom of parent.children) {
    const key = drawn.get(dom)?.key;
    if (key !== undefined) keyed.set(key, dom);
  }
  let at: ChildNode | null = parent.firstChild;
  for (const child of children) {
    let dom: Node | null = at;
    const known = typeof child === 'string' || child.key === undefined ? undefined : keyed.get(child.key);
    if (known !== undefined && fits(known, child)) dom = known;
    if (dom === null || !fits(dom, child)) dom = create(child, namespace);
    else if (typeof child !== 'string')
      update(dom as Element, child, (dom as Element).namespaceURI ?? namespace);
    else if (dom.nodeValue !== child) dom.nodeValue = child;
    if (dom === at) at = at.nextSibling;
    else parent.insertBefore(dom, at);
  }
  while (at !== null) {
    const next: ChildNode | null = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Makes the children of an element look like this. */
export function patch(root: Element, children: Child[]): void {
  updateChildren(root, flatten(children, []), HTML);
}
