import { addressEnd } from '@knowhow/shared/cjk-autolinks';
import type { Link, Parent, PhrasingContent, Root } from 'mdast';

/** A remark plugin: removes the marks of `markAddressEnds`, and ends the URLs there. */
export function cjkAutolinks() {
  return (tree: Root) => {
    const left: Parent[] = [tree];
    for (let parent = left.pop(); parent; parent = left.pop()) {
      parent.children = parent.children.flatMap((child): Parent['children'] =>
        child.type === 'link' ? splitLink(child) : [child],
      );
      for (const child of parent.children) {
        removeMarks(child);
        if ('children' in child) {
          left.push(child);
        }
      }
    }
  };
}

/** GFM also looks for `www.` in parsed text, and reads past the mark there. */
function splitLink(link: Link): PhrasingContent[] {
  const [text] = link.children;
  if (text?.type !== 'text' || !text.value.includes(addressEnd) || !link.url.endsWith(text.value)) {
    return [link];
  }
  const [address = '', ...rest] = text.value.split(addressEnd);
  const url = link.url.slice(0, link.url.length - text.value.length + address.length);
  return [
    { ...link, url, children: [{ type: 'text', value: address }] },
    { type: 'text', value: rest.join('') },
  ];
}

function removeMarks(node: Parent['children'][number]): void {
  if ('value' in node) {
    node.value = node.value.replaceAll(addressEnd, '');
  }
  if ('url' in node) {
    node.url = node.url.replaceAll(addressEnd, '');
  }
}
