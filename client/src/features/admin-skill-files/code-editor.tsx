import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yaml, yamlFrontmatter } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { AdminDiagnostic } from '@knowhow/shared/skills/admin-skill';
import { tags } from '@lezer/highlight';
import { type Ref, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { styleNonce } from '../../ui/style-nonce.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { isExpensiveToHighlight, isExpensiveToWrap } from './expensive-text.ts';
import { detectLineEnding } from './file-text.ts';

export interface CodeEditorHandle {
  /** Moves the cursor to a line, counted from 1, and focuses the editor. */
  showLine: (line: number) => void;
}

interface CodeEditorProps {
  /** File path; its extension determines the language. */
  path: string;
  label: string;
  /** ID of the element that explains how to leave the editor by keyboard. */
  describedBy?: string;
  text: string;
  readOnly: boolean;
  /** Shown next to their lines. */
  diagnostics?: readonly AdminDiagnostic[];
  onChange: (text: string) => void;
  ref?: Ref<CodeEditorHandle>;
}

const noDiagnostics: readonly AdminDiagnostic[] = [];

/** A code editor. Large: load it on demand. */
export function CodeEditor(props: CodeEditorProps) {
  const { path, text, readOnly, diagnostics = noDiagnostics, ref } = props;
  const { describe } = useSkillTexts();
  const container = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  /** The current text. */
  const written = useRef(text);

  const onChange = useEffectEvent((changed: string) => {
    written.current = changed;
    props.onChange(changed);
  });
  const createState = useEffectEvent(() =>
    EditorState.create({ doc: text, extensions: createExtensions(props, onChange) }),
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what makes another editor necessary
  useLayoutEffect(() => {
    if (container.current) {
      const view = new EditorView({ parent: container.current, state: createState() });
      editor.current = view;
      return () => view.destroy();
    }
  }, [path, readOnly]);

  // Synchronously, so that no input gets lost between the change and its arrival.
  useLayoutEffect(() => {
    if (text !== written.current) {
      written.current = text;
      editor.current?.setState(createState());
    }
  }, [text]);

  const mark = useEffectEvent((view: EditorView) =>
    view.dispatch(setDiagnostics(view.state, createMarkers(diagnostics, view.state, describe))),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is marked
  useLayoutEffect(() => {
    if (editor.current) {
      mark(editor.current);
    }
  }, [diagnostics]);

  useImperativeHandle(ref, () => ({
    showLine: (line) => {
      const view = editor.current;
      if (view) {
        const { from } = view.state.doc.line(Math.min(Math.max(line, 1), view.state.doc.lines));
        view.dispatch({
          selection: { anchor: from },
          effects: EditorView.scrollIntoView(from, { y: 'center' }),
        });
        view.focus();
      }
    },
  }));

  return <div ref={container} />;
}

function createExtensions(
  { path, label, describedBy, text, readOnly }: CodeEditorProps,
  onChange: (text: string) => void,
): Extension[] {
  return [
    EditorState.lineSeparator.of(detectLineEnding(text)),
    EditorState.readOnly.of(readOnly),
    EditorView.cspNonce.of(styleNonce()),
    isExpensiveToWrap(text) ? [] : EditorView.lineWrapping,
    EditorView.contentAttributes.of({
      // Focusable anyway; declared so that everyone knows how to scroll the text.
      tabindex: '0',
      'aria-label': label,
      'aria-readonly': String(readOnly),
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
    }),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) {
        onChange(state.sliceDoc());
      }
    }),
    lintGutter(),
    lineNumbers(),
    highlightActiveLine(),
    highlightSpecialChars(),
    history(),
    indentUnit.of('  '),
    keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
    getEditorLanguage(path, text),
    codeTheme,
  ];
}

function createMarkers(
  diagnostics: readonly AdminDiagnostic[],
  { doc }: EditorState,
  describe: ReturnType<typeof useSkillTexts>['describe'],
): Diagnostic[] {
  return diagnostics.flatMap((diagnostic) => {
    const { line, severity } = diagnostic;
    const { message, fix } = describe(diagnostic);
    if (line === undefined || line < 1 || line > doc.lines) {
      return [];
    }
    const { from, to } = doc.line(line);
    return [{ from, to, severity, message: fix ? `${message} ${fix}` : message }];
  });
}

/** The editor language by file extension; plain text if highlighting would take too long. */
function getEditorLanguage(path: string, text: string): Extension {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return languages[ending]?.(text) ?? [];
}

const languages: Partial<Record<string, (text: string) => Extension>> = {
  md: markdownWithFields,
  markdown: markdownWithFields,
  json: () => json(),
  yaml: () => yaml(),
  yml: () => yaml(),
};

function markdownWithFields(text: string): Extension {
  if (isExpensiveToHighlight(text)) {
    return [];
  }
  return yamlFrontmatter({
    content: markdown({ base: markdownLanguage, completeHTMLTags: false }),
  });
}

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
const codeTheme: Extension = [surface, syntaxHighlighting(colours)];
