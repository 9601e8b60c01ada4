import type { Root } from 'hast';
import { createContext } from 'react';
import type { MarkdownTask } from './parse-markdown.ts';

export interface MarkdownParser {
  /** The tree of a text; undefined if it is too complex. Never throws. */
  parse: (task: MarkdownTask, signal: AbortSignal) => Promise<Root | undefined>;
}

/** Provides the parser. */
export const MarkdownParserContext = createContext<MarkdownParser | undefined>(undefined);

interface Job {
  task: MarkdownTask;
  signal: AbortSignal;
  finish: (tree: Root | undefined) => void;
  /** It was part of a batch that timed out: only a separate run shows whether it was the cause. */
  isAlone?: boolean;
}

/** Messages of the worker: ready, loading dependencies started or finished, results. */
type Answer = 'ready' | 'loading' | 'loaded' | (Root | undefined)[];

/**
 * Timeout per batch in ms: ordinary texts take a few. One complete text alone gets more, because a device may be slow.
 * An incomplete one is parsed again soon.
 */
const limit = 1_000;
const limitAlone = 4_000;

/** Maximum batch size, because the page is laid out again after each response. */
const mostTogether = 50;
const mostCharactersTogether = 20_000;

/**
 * Parses Markdown in a worker, in batches, most recent requests first, because a conversation is read from its
 * end. Some texts take a parser minutes: after a timeout, the worker is terminated and the text given up.
 */
export function createMarkdownParser(): MarkdownParser {
  const waiting: Job[] = [];
  let running: Job[] = [];
  let worker: Worker | undefined;
  let isReady = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(): Worker {
    isReady = false;
    const started = new Worker(new URL('./markdown-worker.ts', import.meta.url), {
      type: 'module',
    });
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      if (worker !== started) {
        return;
      }
      if (data === 'ready') {
        isReady = true;
        begin();
      } else if (data === 'loading') {
        clearTimeout(timer);
      } else if (data === 'loaded') {
        startTimer();
      } else {
        end(data);
      }
    };
    started.onerror = giveUp;
    return started;
  }

  /** The timeout starts here: loading the worker does not count. */
  function begin(): void {
    if (running.length > 0 && isReady) {
      worker?.postMessage(running.map(({ task }) => task));
      startTimer();
    }
  }

  function startTimer(): void {
    const isPatient = running.length === 1 && running[0]?.task.isComplete;
    timer = setTimeout(giveUp, isPatient ? limitAlone : limit);
  }

  function giveUp(): void {
    worker?.terminate();
    worker = undefined;
    if (running.length > 1) {
      waiting.push(...running.reverse().map((job) => ({ ...job, isAlone: true })));
      running = [];
    }
    end([]);
  }

  function end(trees: (Root | undefined)[]): void {
    clearTimeout(timer);
    for (const [position, job] of running.entries()) {
      job.finish(trees[position]);
    }
    running = takeBatch(waiting);
    if (running.length > 0) {
      worker ??= start();
      begin();
    }
  }

  return {
    parse: (task, signal) =>
      new Promise((finish) => {
        waiting.push({ task, signal, finish });
        if (running.length === 0) {
          end([]);
        }
      }),
  };
}

/** Takes the next batch from the end of the queue. */
function takeBatch(waiting: Job[]): Job[] {
  const taken: Job[] = [];
  let characters = 0;
  for (let job = waiting.at(-1); job; job = waiting.at(-1)) {
    characters += job.task.text.length;
    const isEnough = taken.length === mostTogether || characters > mostCharactersTogether;
    if (taken.length > 0 && (isEnough || job.isAlone || taken[0]?.isAlone)) {
      break;
    }
    waiting.pop();
    if (!job.signal.aborted) {
      taken.push(job);
    }
  }
  return taken;
}
