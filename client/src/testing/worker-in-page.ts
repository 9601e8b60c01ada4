import { markdownTrees } from '../ui/markdown/markdown-trees.ts';
import type { MarkdownTask } from '../ui/markdown/parse-markdown.ts';

/** Replaces the worker that parses Markdown, which jsdom cannot start. */
export class WorkerInPage {
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: () => void = () => undefined;

  constructor() {
    this.answer('ready');
  }

  postMessage(tasks: MarkdownTask[]): void {
    void markdownTrees(tasks, (isLoading) => this.answer(isLoading ? 'loading' : 'loaded')).then(
      (trees) => this.answer(trees),
    );
  }

  terminate(): void {}

  private answer(data: unknown): void {
    queueMicrotask(() => this.onmessage({ data }));
  }
}
