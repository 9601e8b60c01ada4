import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { indentUnit } from '@codemirror/language';
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
import { type Ref, useEffectEvent, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { styleNonce } from '../../ui/style-nonce.ts';
import { useSkillTexts } from '../../ui/text/use-skill-texts.ts';
import { codeTheme } from './code-theme.ts';
import { getEditorLanguage } from './editor-language.ts';
import { isExpensiveToWrap } from './expensive-text.ts';
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
