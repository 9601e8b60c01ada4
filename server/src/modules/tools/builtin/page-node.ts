/** The subset of the DOM that reading a page needs. */
export interface PageNode {
  nodeName: string;
  nodeType: number;
  textContent: string | null;
  lastChild: PageNode | null;
  previousSibling: PageNode | null;
}

export interface PageElement extends PageNode {
  innerHTML: string;
  getAttribute(name: string): string | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
}

export interface Page extends PageElement {
  title: string;
  body: PageElement | null;
  documentElement: PageElement;
  getElementsByTagName(name: string): { length: number };
}
