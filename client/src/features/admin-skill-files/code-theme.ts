import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const surface = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--raised)', color: 'var(--ink)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '13px',
    lineHeight: '1.6',
  },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 14px 0 6px' },
  '.cm-gutters': {
    border: 'none',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink-quiet)',
  },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '24px', padding: '0 6px 0 0' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': {
    display: 'flex',
    justifyContent: 'center',
    padding: '0',
  },
  '.cm-lint-marker': {
    content: 'normal',
    width: '8px',
    height: '8px',
    marginTop: '7px',
    borderRadius: '50%',
    backgroundColor: 'var(--ink-quiet)',
  },
  '.cm-lint-marker-error': { backgroundColor: 'var(--danger)' },
  // The whole line would be underlined; the gutter shows it better.
  '.cm-lintRange': { backgroundImage: 'none' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--hover)' },
  '.cm-tooltip': {
    maxWidth: '420px',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--mantine-font-family)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftWidth: '3px' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--danger)' },
  '.cm-diagnostic-warning, .cm-diagnostic-info': { borderLeftColor: 'var(--line-strong)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  // Smaller letters make iOS zoom in on the text.
  '@media (pointer: coarse)': { '.cm-scroller': { fontSize: '16px' } },
});

const colours = HighlightStyle.define([
  { tag: tags.heading, color: 'var(--code-title)', fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--accent)' },
  { tag: tags.monospace, color: 'var(--code-string)' },
  { tag: tags.quote, color: 'var(--ink-soft)' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--code-title)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
  { tag: [tags.keyword, tags.tagName], color: 'var(--code-keyword)' },
  { tag: tags.comment, color: 'var(--code-comment)', fontStyle: 'italic' },
  {
    tag: [tags.meta, tags.processingInstruction, tags.contentSeparator, tags.punctuation],
    color: 'var(--ink-quiet)',
  },
]);

/** The editor's theme: its CSS variables follow the page's colour scheme. */
export const codeTheme: Extension = [surface, syntaxHighlighting(colours)];
