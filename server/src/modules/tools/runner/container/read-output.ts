import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createBoundedStream } from '../bounded-stream.ts';
import { readWorkFolder } from '../read-work-folder.ts';
import { floodBytes, outputLimits } from '../run-limits.ts';
import { RunnerFailure, type ScriptResult } from '../runner.ts';
import { toEngineError } from './call-engine.ts';
import { readFrames } from './read-frames.ts';
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
