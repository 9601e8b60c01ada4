import { StringDecoder } from 'node:string_decoder';

interface Found {
  line(text: string): void;
  /** A line is longer than it may be; nothing more is given. */
  tooLong(): void;
}

/** Takes bytes as they come and gives lines; a long line costs no more than its length. */
export function splitLines(maxCharacters: number, found: Found): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  let length = 0;
  let isOver = false;
  return (chunk) => {
    let rest = decoder.write(chunk);
    while (!isOver) {
      const end = rest.indexOf('\n');
      const part = end < 0 ? rest : rest.slice(0, end);
      parts.push(part);
      length += part.length;
      if (length > maxCharacters) {
        isOver = true;
        parts = [];
        found.tooLong();
        return;
      }
      if (end < 0) {
        return;
      }
      const line = parts.join('');
      parts = [];
      length = 0;
      found.line(line);
      rest = rest.slice(end + 1);
    }
  };
}
