// Copying a text. The browser's clipboard is there only in a secure context; a class room that plays over plain HTTP from another
// machine copies the old way, out of a field that is there for that moment.

function copyByField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'sr';
  document.body.append(field);
  const focused = document.activeElement as HTMLElement | null;
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return isCopied;
}

/** Copies a text; false when the browser has no way at all. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByField(text);
  }
}
