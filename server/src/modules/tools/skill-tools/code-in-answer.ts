/**
 * Extracts the code from a model's answer: the first block marked as JavaScript, otherwise the
 * first unmarked block. '' for a truncated block, undefined without blocks.
 */
export function codeInAnswer(answer: string): string | undefined {
  const blocks = blocksIn(answer.split(/\r?\n/));
  return (
    blocks.find(({ language }) => languages.includes(language)) ??
    blocks.find(({ language }) => language === '')
  )?.code;
}

const languages: readonly string[] = ['js', 'javascript', 'mjs', 'node'];

interface Block {
  /** Lowercase; '' if not specified. */
  language: string;
  code: string;
}

function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; language: string; lines: string[] } | undefined;
  for (const line of lines) {
    const [, fence, said = ''] = /^ {0,3}(`{3,})([^`]*)$/.exec(line) ?? [];
    if (!open && fence !== undefined) {
      const [language = ''] = said.trim().toLowerCase().split(/\s/);
      open = { fence, language, lines: [] };
    } else if (open && fence?.startsWith(open.fence) && said.trim() === '') {
      blocks.push({ language: open.language, code: open.lines.join('\n').trim() });
      open = undefined;
    } else {
      open?.lines.push(line);
    }
  }
  return open ? [...blocks, { language: open.language, code: '' }] : blocks;
}
