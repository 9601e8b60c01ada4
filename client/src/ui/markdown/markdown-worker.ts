import { type MarkdownTask, parseMarkdown } from './parse-markdown.ts';

// Answers tasks with their trees, or with undefined for a text that has none to show.
addEventListener('message', ({ data }: MessageEvent<MarkdownTask[]>) =>
  postMessage(data.map(treeOf)),
);
postMessage('ready');

function treeOf(task: MarkdownTask) {
  try {
    return parseMarkdown(task);
  } catch {
    // A text so deep that the parser's own stack does not hold it.
    return undefined;
  }
}
