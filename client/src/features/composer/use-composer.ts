import { maxSkillsPicked } from '@knowhow/shared/chat/chat';
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { hasTouchKeyboard } from '../../ui/focus/has-touch-keyboard.ts';
import { isComposing } from '../../ui/focus/is-composing.ts';
import type { Attachments } from './attachments/use-attachments.ts';
import type { PaletteEntry } from './palette-entry.ts';
import { replaceSlashInput, type SlashInput } from './slash.ts';
import type { Draft } from './use-draft.ts';
import { usePalette } from './use-palette.ts';
import { usePrefetchPalette } from './use-palette-entries.ts';
import { useSend } from './use-send.ts';

/** In characters. */
const longestPasted = 20_000;
const pastedName = 'Pasted text.txt';

type PromptEntry = Extract<PaletteEntry, { kind: 'prompt' }>;

interface ComposerOptions {
  appId: string;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  attachments: Attachments;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (message: Draft) => void;
}

type Place = Pick<SlashInput, 'before' | 'after'>;

/** The composer's reaction to keys and to selections in the palette. */
export function useComposer(options: ComposerOptions) {
  const { appId, draft, onDraft, attachments, field, onSend } = options;
  const busy = attachments.isWaiting;
  const [asking, setAsking] = useState<{ entry: PromptEntry; slash: SlashInput }>();
  const caret = useCaret(field, draft.text);
  const palette = usePalette({ appId, text: draft.text, caret: caret.at, onChoose: choose });
  const prefetch = usePrefetchPalette(appId);
  const { submit, doubt } = useSend({ appId, draft, busy, palette, onSend, write });

  function write(text: string, skills = draft.skills) {
    onDraft({ ...draft, text, skills: [...new Set(skills)].slice(0, maxSkillsPicked) });
    field.current?.focus();
  }

  /** Replaces the typed query. */
  function insert(place: Place, inserted: string, skills = draft.skills) {
    const { text, caret: at } = replaceSlashInput(place, inserted);
    caret.put(text, at);
    write(text, skills);
  }

  function choose(entry: PaletteEntry, slash: SlashInput) {
    if (entry.kind === 'skill') {
      insert(slash, '', [...draft.skills, entry.skill.name]);
    } else if (entry.prompt.variables.length === 0 && entry.prompt.server === undefined) {
      insert(slash, entry.text);
    } else {
      setAsking({ entry, slash });
      palette.close();
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (palette.onKeyDown(event)) {
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event) && !hasTouchKeyboard()) {
      event.preventDefault();
      void submit();
    }
    if (event.key === 'Backspace' && event.currentTarget.selectionEnd === 0) {
      onDraft({ ...draft, skills: draft.skills.slice(0, -1) });
    }
  }

  return {
    palette,
    write,
    /** The palette button: inserts a `/` at the caret, or removes the existing one. */
    toggle: () => {
      const open = palette.isOpen ? palette.slash : undefined;
      const place = open ?? getCaretContext(draft.text, caret.at);
      insert(place, open ? '' : /\S$/.test(place.before) ? ' /' : '/');
    },
    onCaret: caret.look,
    onChange: ({ currentTarget }: ChangeEvent<HTMLTextAreaElement>) => {
      caret.look(currentTarget);
      onDraft({ ...draft, text: currentTarget.value });
    },
    /** Preloads the palette when the user is about to type. */
    onFocus: prefetch,
    submit,
    /** Why it was not sent. */
    doubt,
    onKeyDown,
    onPaste: (event: ClipboardEvent) => attachPasted(event, attachments),
    /** The prompt whose variables are being asked for. */
    asked: asking?.entry.prompt,
    answer: (text: string) => {
      setAsking(undefined);
      insert(asking?.slash ?? { before: '', after: '' }, text);
    },
    stopAsking: () => setAsking(undefined),
  };
}

function getCaretContext(text: string, caret: number): Place {
  return { before: text.slice(0, caret), after: text.slice(caret) };
}

/** Attaches pasted files, and a pasted text that is too long for the field. */
function attachPasted(event: ClipboardEvent, attachments: Attachments): void {
  const text = event.clipboardData.getData('text/plain');
  const files = [...event.clipboardData.files].filter((file) => !isPictureOfText(file, text));
  const pasted =
    text.length > longestPasted ? [new File([text], pastedName, { type: 'text/plain' })] : [];
  if (files.length > 0 || pasted.length > 0) {
    event.preventDefault();
    attachments.attach(files.length > 0 ? files : pasted);
  }
}

/**
 * Spreadsheets and word processors add a picture of the copied text to the clipboard. A file manager adds the
 * name of a copied file: then the file is meant.
 */
function isPictureOfText(file: File, text: string): boolean {
  return file.type.startsWith('image/') && text.trim() !== '' && !text.includes(file.name);
}

/** The caret position of a text field, and a function to move it when the text changes. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string) {
  const [seen, setSeen] = useState({ text: '', at: 0 });
  const wanted = useRef<number>(undefined);

  useLayoutEffect(() => {
    if (wanted.current !== undefined) {
      field.current?.setSelectionRange(wanted.current, wanted.current);
      wanted.current = undefined;
    }
  });

  return {
    /** At the end of a text that was set programmatically. */
    at: seen.text === text ? seen.at : text.length,
    /** Call this when the field or its selection has changed. */
    look: ({ value, selectionEnd }: HTMLTextAreaElement) => {
      // Skips unchanged positions, because React would otherwise re-render once more.
      if (seen.text !== value || seen.at !== selectionEnd) {
        setSeen({ text: value, at: selectionEnd });
      }
    },
    /** The caret position in the text that the field is about to show. */
    put: (next: string, at: number) => {
      wanted.current = at;
      setSeen({ text: next, at });
    },
  };
}
