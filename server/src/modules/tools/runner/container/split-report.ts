/** Separates a script's output from the report about it. */
export interface ReportSplitter {
  /** False if the report is invalid. */
  push(chunk: Buffer): boolean;
  /** Flushes the bytes held back because they might have been the start of the marker. */
  end(): void;
  /** An exit code or `memory` (out of memory); undefined until the marker was read. */
  outcome(): number | 'memory' | undefined;
}

interface Parts {
  script: (bytes: Buffer) => void;
  /** The archive of the work folder. False to stop reading. */
  archive: (bytes: Buffer) => boolean;
}

const maxLineBytes = 16;

/** Splits a stream into the script's output, a line `<mark> <outcome>`, and an archive. */
export function splitReport(mark: string, { script, archive }: Parts): ReportSplitter {
  const sought = Buffer.from(`\n${mark} `);
  let held = Buffer.alloc(0);
  let part: 'script' | 'line' | 'archive' = 'script';
  let outcome: number | 'memory' | undefined;

  const readLine = (): boolean => {
    const end = held.indexOf('\n');
    if (end < 0) {
      return held.length <= maxLineBytes;
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
