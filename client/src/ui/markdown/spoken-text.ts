/** Content that is not read aloud: visual, interactive, or computed. */
const silent =
  'pre, figure, svg, button, [data-tex], [aria-hidden="true"], [data-footnote-backref], sup';
const blocks = 'p, li, h1, h2, h3, h4, h5, h6, tr, summary, dt, dd';

/** The rendered texts of an answer as short sentences to be read aloud. */
export function spokenText(answer: Element): string[] {
  return [...answer.querySelectorAll('[data-markdown]')].flatMap((text) => {
    const copy = text.cloneNode(true) as Element;
    for (const part of copy.querySelectorAll(silent)) {
      part.remove();
    }
    for (const cell of copy.querySelectorAll('th, td')) {
      cell.append(', ');
    }
    return [...copy.querySelectorAll(blocks)].map(getOwnText).flatMap(splitSentences);
  });
}

/** Without nested blocks, which are read separately. */
function getOwnText(block: Element): string {
  const copy = block.cloneNode(true) as Element;
  for (const inner of copy.querySelectorAll(`${blocks}, ul, ol, table`)) {
    inner.remove();
  }
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** Some voices stop in the middle of a long text. */
const longest = 200;

function splitSentences(text: string): string[] {
  const pieces: string[] = [];
  for (const word of text.split(' ')) {
    const last = pieces.at(-1) ?? '';
    if (last === '' || /[.!?…:]$/.test(last) || last.length + word.length > longest) {
      pieces.push(word);
    } else {
      pieces[pieces.length - 1] = `${last} ${word}`;
    }
  }
  return pieces.filter((piece) => piece !== '');
}
