import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createBoundedStream } from '../bounded-stream.ts';
import { readWorkFolder } from '../read-work-folder.ts';
import { floodBytes, outputLimits } from '../run-limits.ts';
import { RunnerFailure, type ScriptResult } from '../runner.ts';
import { toEngineError } from './call-engine.ts';
import type { EndOfRun } from './run-end.ts';
import { type ReportSplitter, splitReport } from './split-report.ts';

/** The output of a script, its outcome, and the files it leaves. */
export interface ScriptOutput {
  /**
   * Reads to the end.
   *
   * @throws `RunnerFailure` if the format is invalid, or the reason of the end
   */
  read(answer: IncomingMessage): Promise<void>;
  /** Undefined if the script killed the process that reports it. */
  outcome(): ReturnType<ReportSplitter['outcome']>;
  said(): Pick<ScriptResult, 'stdout' | 'stderr'>;
  files(): Pick<ScriptResult, 'files' | 'leftOut'>;
}

/** @param streamBytes maximum buffered bytes of each stream */
export function readOutput(mark: string, streamBytes: number, end: EndOfRun): ScriptOutput {
  const out = createBoundedStream(streamBytes);
  const err = createBoundedStream(streamBytes);
  const folder = readWorkFolder(outputLimits);
  const keep = (kept: typeof out) => (bytes: Buffer) => {
    kept.push(bytes);
    if (kept.length > floodBytes) {
      end.because('output');
    }
  };
  const keepError = keep(err);
  const report = splitReport(mark, { script: keep(out), archive: folder.push });
  const take = readFrames((stream, bytes) => {
    if (stream === 'err') {
      keepError(bytes);
    } else if (!report.push(bytes)) {
      end.because('output');
    }
  });
  return {
    read: async (answer) => {
      let isValid = true;
      answer.on('data', (chunk: Buffer) => {
        isValid = isValid && take(chunk);
        if (!isValid) {
          answer.destroy();
        }
      });
      try {
        if (!answer.closed) {
          await once(answer, 'close', { signal: end.signal });
        }
      } catch (error) {
        throw toEngineError(end.signal, error);
      } finally {
        answer.destroy();
        report.end();
      }
      if (!isValid) {
        throw new RunnerFailure('The container engine answers what cannot be understood.');
      }
      if (folder.hasBegun() && !folder.isWhole()) {
        throw new RunnerFailure('The container engine lost what the script left.');
      }
    },
    outcome: report.outcome,
    said: () => ({ stdout: out.text(), stderr: err.text() }),
    files: () => folder.end(),
  };
}

/**
 * Demultiplexes an engine's output stream, whose frames have a header with the stream number and
 * length.
 *
 * @returns consumes a chunk; false if the format is invalid
 */
function readFrames(
  take: (stream: 'out' | 'err', bytes: Buffer) => void,
): (chunk: Buffer) => boolean {
  const header = Buffer.alloc(8);
  let filled = 0;
  let rest = 0;
  return (chunk) => {
    let pending = chunk;
    while (pending.length > 0) {
      if (rest > 0) {
        const bytes = pending.subarray(0, rest);
        take(header[0] === 2 ? 'err' : 'out', bytes);
        rest -= bytes.length;
        pending = pending.subarray(bytes.length);
        continue;
      }
      const part = pending.copy(header, filled, 0, header.length - filled);
      filled += part;
      pending = pending.subarray(part);
      if (filled === header.length) {
        if (!isHeader(header)) {
          return false;
        }
        rest = header.readUInt32BE(4);
        filled = 0;
      }
    }
    return true;
  };
}

function isHeader(header: Buffer): boolean {
  return (header[0] ?? 3) <= 2 && header.subarray(1, 4).every((byte) => byte === 0);
}
