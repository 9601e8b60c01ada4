/** Where what a script writes ends, and what is said of it begins. */
export interface ReportSplitter {
  /** False when what is said of it makes no sense. */
  push(chunk: Buffer): boolean;
  /** What was held back because the mark might have begun in it. */
  end(): void;
  /** An exit code, or that it had too much memory; undefined as long as the mark has not come. */
  outcome(): number | 'memory' | undefined;
}

interface Parts {
  script: (bytes: Buffer) => void;
  /** The archive of the work folder. False when no more is wanted. */
  archive: (bytes: Buffer) => boolean;
}

const mostOfLine = 16;

/** Takes apart a stream: what the script wrote, a line `<mark> <outcome>`, an archive. */
export function splitReport(mark: string, { script, archive }: Parts): ReportSplitter {
  const sought = Buffer.from(`\n${mark} `);
  let held = Buffer.alloc(0);
  let part: 'script' | 'line' | 'archive' = 'script';
  let outcome: number | 'memory' | undefined;

  const readLine = (): boolean => {
    const end = held.indexOf('\n');
    if (end < 0) {
      return held.length <= mostOfLine;
    }
    const line = held.toString('latin1', 0, end);
    if (!/^(\d{1,3}|memory)$/.test(line)) {
      return false;
    }
    outcome = line === 'memory' ? line : Number(line);
    part = 'archive';
    return archive(held.subarray(end + 1));
  };
  return {
    push: (chunk) => {
      if (part === 'archive') {
        return archive(chunk);
      }
      held = Buffer.concat([held, chunk]);
      if (part === 'line') {
        return readLine();
      }
      const at = held.indexOf(sought);
      if (at < 0) {
        const isSure = Math.max(0, held.length - sought.length + 1);
        script(held.subarray(0, isSure));
        held = held.subarray(isSure);
        return true;
      }
      script(held.subarray(0, at));
      held = held.subarray(at + sought.length);
      part = 'line';
      return readLine();
    },
    end: () => {
      if (part === 'script') {
        script(held);
      }
    },
    outcome: () => outcome,
  };
}
