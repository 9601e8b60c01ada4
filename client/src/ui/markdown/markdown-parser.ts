import type { Root } from 'hast';
import { createContext } from 'react';
import type { MarkdownTask } from './parse-markdown.ts';

export interface MarkdownParser {
  /** What a text is shown as; undefined for one that is too complex. Never fails. */
  parse: (task: MarkdownTask, signal: AbortSignal) => Promise<Root | undefined>;
}

/** Stands above all that shows Markdown. */
export const MarkdownParserContext = createContext<MarkdownParser | undefined>(undefined);

interface Job {
  task: MarkdownTask;
  signal: AbortSignal;
  finish: (tree: Root | undefined) => void;
  /** It was among others that took too long: only a run by itself shows whether it was the one. */
  isAlone?: boolean;
}

/** What the worker says: it can be asked, what a text takes is loaded and has been, what texts are shown as. */
type Answer = 'ready' | 'loading' | 'loaded' | (Root | undefined)[];

/** Milliseconds that texts may take: ordinary ones take a few. */
const limit = 1_000;

/** Texts that go to the worker together, since the page is laid out again for each answer. */
const mostTogether = 50;
const mostCharactersTogether = 20_000;

/**
 * Parses Markdown in a worker, some texts at a time and what was asked for last first, since a
 * conversation is read from its end. Some texts take a parser minutes: a worker that is at one for
 * too long is given up, with the text.
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
        timer = setTimeout(giveUp, limit);
      } else {
        end(data);
      }
    };
    started.onerror = giveUp;
    return started;
  }

  /** The time counts from here: loading the worker is not the text's fault. */
  function begin(): void {
    if (running.length > 0 && isReady) {
      worker?.postMessage(running.map(({ task }) => task));
      timer = setTimeout(giveUp, limit);
    }
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
    running = takeJobs(waiting);
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

/** Takes from the end of those that wait what goes to the worker together. */
function takeJobs(waiting: Job[]): Job[] {
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
