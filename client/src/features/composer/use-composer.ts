import { maxSkillsPicked } from '@knowhow/shared/chat';
import { type ClipboardEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { isComposing } from '../../ui/is-composing.ts';
import type { Attachments } from './attachments/use-attachments.ts';
import type { PaletteEntry } from './palette-entry.ts';
import type { Draft } from './use-draft.ts';
import { usePalette } from './use-palette.ts';
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

/** What the composer does with keys and with what is chosen from the palette. */
export function useComposer(options: ComposerOptions) {
  const { appId, draft, onDraft, attachments, field, onSend } = options;
  const busy = attachments.isWaiting;
  const [asking, setAsking] = useState<{ entry: PromptEntry; rest: string }>();
  const palette = usePalette({ appId, text: draft.text, onChoose: choose });
  const { submit, doubt } = useSend({ appId, draft, busy, palette, onSend, write });

  function write(text: string, skills = draft.skills) {
    onDraft({ ...draft, text, skills: [...new Set(skills)].slice(0, maxSkillsPicked) });
    field.current?.focus();
  }

  function choose(entry: PaletteEntry, rest: string) {
    if (entry.kind === 'skill') {
      write(rest, [...draft.skills, entry.skill.name]);
    } else if (entry.prompt.variables.length === 0 && entry.prompt.server === undefined) {
      write(rest + entry.text);
    } else {
      setAsking({ entry, rest });
      palette.close();
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (palette.onKeyDown(event)) {
      return;
    }
    if (event.key === 'Enter' && !event.shiftKey && !isComposing(event)) {
      event.preventDefault();
      submit();
    }
    if (event.key === 'Backspace' && event.currentTarget.selectionEnd === 0) {
      onDraft({ ...draft, skills: draft.skills.slice(0, -1) });
    }
  }

  /** Files, and what is too long to be read in the field, go with the message beside its text. */
  function onPaste(event: ClipboardEvent) {
    const files = [...event.clipboardData.files];
    const text = event.clipboardData.getData('text/plain');
    const pasted =
      text.length > longestPasted ? [new File([text], pastedName, { type: 'text/plain' })] : [];
    if (files.length > 0 || pasted.length > 0) {
      event.preventDefault();
      attachments.attach(files.length > 0 ? files : pasted);
    }
  }

  return {
    palette,
    write,
    submit,
    /** Why it was not sent as it is. */
    doubt,
    onKeyDown,
    onPaste,
    /** The prompt whose variables are being asked for. */
    asked: asking?.entry.prompt,
    answer: (text: string) => {
      setAsking(undefined);
      write(`${asking?.rest ?? ''}${text}`);
    },
    stopAsking: () => setAsking(undefined),
  };
}
