import { splitAutolink } from '@knowhow/shared/split-autolink';
import type { Link, Parent, PhrasingContent, Root } from 'mdast';

/** A plugin of remark: an address that GFM found in a text ends where a Chinese or Japanese sentence continues. */
export function cjkAutolinks() {
  return (tree: Root) => {
    const left: Parent[] = [tree];
    for (let parent = left.pop(); parent; parent = left.pop()) {
      if (parent.children.some(isAutolink)) {
        parent.children = parent.children.flatMap((child): Parent['children'] =>
          isAutolink(child) ? splitLink(child) : [child],
        );
      }
      for (const child of parent.children) {
        if ('children' in child) {
          left.push(child);
        }
      }
    }
  };
}

/** Whether its text is its address, as in no link that was written with brackets. */
function isAutolink(node: Parent['children'][number]): node is Link {
  const [text] = node.type === 'link' ? node.children : [];
  return node.type === 'link' && text?.type === 'text' && node.url.endsWith(text.value);
}

function splitLink(link: Link): PhrasingContent[] {
  const [text] = link.children;
  const parts = text?.type === 'text' ? splitAutolink(text.value) : [];
  if (parts.length < 2) {
    return [link];
  }
  return parts
    .map((value, index): PhrasingContent => {
      const url = value.startsWith('www.') ? `http://${value}` : value;
      const written = { type: 'text', value } as const;
      return index % 2 === 0 ? { type: 'link', url, children: [written] } : written;
    })
    .filter((node) => node.type !== 'link' || node.url !== '');
}
