/** Copies a text. The clipboard API is missing on plain HTTP pages from another machine. */
export async function copyText(text: string): Promise<void> {
  await (navigator.clipboard ? navigator.clipboard.writeText(text) : copyBySelection(text));
}

/**
 * Copies a text in two formats: `text` for plain fields, `html` for rich text targets. `html` may be pending; if
 * it fails, only the text is copied.
 */
export async function copyRichText(text: string, html: Promise<string>): Promise<void> {
  if (!navigator.clipboard || typeof ClipboardItem === 'undefined') {
    copyBySelection(text, await html.catch(() => undefined));
    return;
  }
  const blobOf = (content: string, type: string) => new Blob([content], { type });
  // Some browsers allow clipboard writes only during a click, so a promise is written.
  const item = new ClipboardItem({
    'text/plain': blobOf(text, 'text/plain'),
    'text/html': html.then((content) => blobOf(content, 'text/html')),
  });
  await navigator.clipboard.write([item]).catch(() => copyText(text));
}

function copyBySelection(text: string, html?: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  field.addEventListener('copy', (event) => {
    event.preventDefault();
    event.clipboardData?.setData('text/plain', text);
    if (html !== undefined) {
      event.clipboardData?.setData('text/html', html);
    }
  });
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
