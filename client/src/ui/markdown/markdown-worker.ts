import { markdownTrees } from './markdown-trees.ts';
import type { MarkdownTask } from './parse-markdown.ts';

// Answers tasks with their trees, or with undefined for a text that has none to show.
addEventListener('message', async ({ data }: MessageEvent<MarkdownTask[]>) =>
  postMessage(
    await markdownTrees(data, (isLoading) => postMessage(isLoading ? 'loading' : 'loaded')),
  ),
);
postMessage('ready');
