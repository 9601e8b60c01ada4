/**
 * The rendered texts of an answer as HTML for a word processor: without controls. Formulas and diagrams are
 * replaced by their code.
 */
export function toRichText(answer: Element): string {
  return [...answer.querySelectorAll('[data-markdown]')].map(createRichText).join('');
}

function createRichText(text: Element): string {
  const copy = createInertCopy(text);
  for (const formula of copy.querySelectorAll('[data-tex]')) {
    const tex = formula.getAttribute('data-tex') ?? '';
    formula.replaceWith(formula.hasAttribute('data-display') ? `$$${tex}$$` : `$${tex}$`);
  }
  for (const figure of copy.querySelectorAll('figure')) {
    const code = copy.ownerDocument.createElement('pre');
    code.textContent =
      figure.getAttribute('data-copied') ?? figure.querySelector('pre')?.textContent ?? '';
    code.textContent = code.textContent.replace(/\n$/, '');
    figure.replaceWith(code);
  }
  for (const box of copy.querySelectorAll('[role="img"]')) {
    box.replaceWith(`${box.textContent} `);
  }
  for (const fold of copy.querySelectorAll('details')) {
    const title = copy.ownerDocument.createElement('p');
    const bold = copy.ownerDocument.createElement('strong');
    bold.textContent = fold.querySelector(':scope > summary')?.textContent ?? '';
    title.append(bold);
    fold.querySelector(':scope > summary')?.remove();
    fold.replaceWith(title, ...fold.childNodes);
  }
  for (const part of copy.querySelectorAll('button, svg, [data-footnote-backref]')) {
    part.remove();
  }
  return serializeHtml(copy);
}

/** A table, without its wrapper, as HTML with borders for word processors. */
export function tableToHtml(table: Element): string {
  const copy = createInertCopy(table.parentElement ?? table);
  return serializeHtml(copy);
}

/** In an inert document, so that no picture is loaded again. */
function createInertCopy(element: Element): Element {
  return document.implementation.createHTMLDocument().importNode(element, true);
}

/** No styles: the page's content security policy blocks them even in inert documents. */
const kept = ['href', 'src', 'alt', 'colspan', 'rowspan', 'start', 'align'];

function serializeHtml(copy: Element): string {
  for (const element of copy.querySelectorAll('*')) {
    const link = element.getAttribute('href');
    for (const { name } of [...element.attributes]) {
      if (!kept.includes(name) || link?.startsWith('#')) {
        element.removeAttribute(name);
      }
    }
  }
  for (const table of copy.querySelectorAll('table')) {
    table.setAttribute('border', '1');
    table.setAttribute('cellpadding', '6');
    table.setAttribute('cellspacing', '0');
  }
  return copy.innerHTML;
}
