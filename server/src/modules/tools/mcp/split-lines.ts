import { StringDecoder } from 'node:string_decoder';

/** Splits a byte stream into lines. Unbounded: callers must enforce a size limit first. */
export function splitLines(onLine: (text: string) => void): (chunk: Buffer) => void {
  const decoder = new StringDecoder('utf8');
  let parts: string[] = [];
  return (chunk) => {
    let rest = decoder.write(chunk);
    for (;;) {
      const end = rest.indexOf('\n');
      const part = end < 0 ? rest : rest.slice(0, end);
      parts.push(part);
      if (end < 0) {
        return;
      }
      const line = parts.join('');
      parts = [];
      onLine(line);
      rest = rest.slice(end + 1);
    }
  };
}
