import { markdownTrees } from './markdown-trees.ts';
import type { MarkdownTask } from './parse-markdown.ts';

// Responds to tasks with their trees, or with undefined for a text that is too complex.
addEventListener('message', ({ data }: MessageEvent<MarkdownTask[]>) => {
  markdownTrees(data, (isLoading) => postMessage(isLoading ? 'loading' : 'loaded')).then(
    (trees) => postMessage(trees),
    () => postMessage(data.map(() => undefined)),
  );
});
postMessage('ready');
