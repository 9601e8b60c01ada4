import { type MarkdownTask, parseMarkdown } from '../ui/markdown/parse-markdown.ts';

/** Stands in for the worker that parses Markdown, which jsdom cannot start. */
export class WorkerInPage {
  onmessage: (event: { data: unknown }) => void = () => undefined;
  onerror: () => void = () => undefined;

  constructor() {
    this.answer('ready');
  }

  postMessage(tasks: MarkdownTask[]): void {
    this.answer(tasks.map(parseMarkdown));
  }

  terminate(): void {}

  private answer(data: unknown): void {
    queueMicrotask(() => this.onmessage({ data }));
  }
}
