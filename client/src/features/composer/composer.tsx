import { maxMessageLength, maxSkillsPicked } from '@knowhow/shared/chat/chat';
import { IconArrowUp, IconPlayerStopFilled, IconSlash } from '@tabler/icons-react';
import { type RefObject, Suspense, use } from 'react';
import { useTranslation } from 'react-i18next';
import { focusField } from '../../ui/focus/focus-field.ts';
import { hasTouchKeyboard } from '../../ui/focus/has-touch-keyboard.ts';
import { useFocusBack } from '../../ui/focus/use-focus-back.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LostDialog } from '../../ui/loading/chunk-load-error.tsx';
import { lazyPart } from '../../ui/loading/lazy-part.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { SpeechContext } from '../../ui/text/speech-context.ts';
import { useAutosize } from '../../ui/use-autosize.ts';
import { AttachButton } from './attachments/attach-button.tsx';
import type { Attachments } from './attachments/use-attachments.ts';
import classes from './composer.module.css';
import { SkillChips } from './skill-chips.tsx';
import { SkillSelector } from './skill-selector.tsx';
import type { DictateButtonProps } from './speech/dictate-button.tsx';
import { useComposer } from './use-composer.ts';
import type { Draft } from './use-draft.ts';
import { optionId, type Palette as PaletteState } from './use-palette.ts';
import type { SendWarning } from './use-send.ts';
import { isSendable } from './use-send.ts';

/** Falls back to typing if the chunk fails to load. */
const DictateButton = lazyPart(
  async () => (await import('./speech/dictate-button.tsx')).DictateButton,
  () => null,
);

/** The dictation button, if the installation allows it. */
function SpeechInput(props: DictateButtonProps) {
  return (
    use(SpeechContext).includes('input') && (
      <Suspense>
        <DictateButton {...props} />
      </Suspense>
    )
  );
}

const Palette = lazyPart(async () => (await import('./palette.tsx')).Palette);

const PromptDialog = lazyPart(
  async () => (await import('./prompt-dialog.tsx')).PromptDialog,
  ({ onCancel, onRetry }) => <LostDialog onClose={onCancel} onRetry={onRetry} />,
);

const AttachmentChips = lazyPart(
  async () => (await import('./attachments/attachment-chips.tsx')).AttachmentChips,
);

interface ComposerProps {
  appId: string;
  /** Whether servers may offer resources to attach. */
  hasResources?: boolean | undefined;
  draft: Draft;
  /** Names of the skills that are currently switched off in the conversation. */
  skillsOff: readonly string[];
  /** Names of the skills that are active in the conversation. */
  inUse: readonly string[];
  onDraft: (draft: Draft) => void;
  attachments: Attachments;
  /** The model's name, if it does not support images. */
  blind: string | undefined;
  /** Whether an answer is being written: it can be stopped, and new messages are queued. */
  busy: boolean;
  /** Whether a stop is already pending. */
  stopping: boolean;
  field: RefObject<HTMLTextAreaElement | null>;
  onSend: (message: Draft) => void;
  onStop: () => void;
}

/** The message editor, with the palette that `/` opens. */
export function Composer(props: ComposerProps) {
  const { draft, onDraft, busy, stopping, field, attachments } = props;
  const { t } = useTranslation();
  const composer = useComposer(props);
  const { palette, write } = composer;
  const hasSkills = draft.skills.length > 0;
  useAutosize(field, draft.text);
  useFocusBack(composer.asked !== undefined);

  return (
    <div className={classes.composer}>
      <Suspense>{palette.isOpen && <Palette palette={palette} />}</Suspense>
      <div className={classes.box}>
        {hasSkills && (
          <ChosenSkills skills={draft.skills} onChange={(skills) => write(draft.text, skills)} />
        )}
        <ShownAttachments {...{ draft, attachments, blind: props.blind }} />
        <textarea
          ref={field}
          className={classes.field}
          dir="auto"
          rows={1}
          aria-label={t('composer.label')}
          placeholder={hasSkills ? t('composer.placeholderSkill') : t('composer.placeholder')}
          enterKeyHint={hasTouchKeyboard() ? 'enter' : 'send'}
          value={draft.text}
          onChange={composer.onChange}
          onSelect={(event) => composer.onCaret(event.currentTarget)}
          onFocus={composer.onFocus}
          onKeyDown={composer.onKeyDown}
          onPaste={composer.onPaste}
          {...getComboboxProps(palette)}
        />
        <ComposerNote length={draft.text.length} doubt={composer.doubt} />
        <div className={classes.row}>
          <div className={classes.tools}>
            <AttachButton
              appId={props.appId}
              hasResources={props.hasResources}
              attachments={attachments}
            />
            <IconButton
              label={t('palette.label')}
              icon={<IconSlash size={18} />}
              onClick={composer.toggle}
            />
            <SkillSelector
              appId={props.appId}
              picked={draft.skills}
              off={draft.skillsOff ?? props.skillsOff}
              inUse={props.inUse}
              onPick={(skill) => write(draft.text, [...draft.skills, skill])}
              onOff={(skillsOff) => onDraft({ ...draft, skillsOff })}
            />
            <SpeechInput text={draft.text} onText={(text) => onDraft({ ...draft, text })} />
          </div>
          <SendButton
            busy={busy}
            stopping={stopping}
            disabled={attachments.isWaiting || !isSendable(draft)}
            onSend={composer.submit}
            onStop={() => {
              props.onStop();
              focusField(field.current);
            }}
          />
        </div>
      </div>
      {composer.asked && (
        <Suspense>
          <PromptDialog
            prompt={composer.asked}
            onFilled={composer.answer}
            onCancel={composer.stopAsking}
          />
        </Suspense>
      )}
    </div>
  );
}

interface ChosenSkillsProps {
  skills: string[];
  onChange: (skills: string[]) => void;
}

function ChosenSkills({ skills, onChange }: ChosenSkillsProps) {
  return (
    <SkillChips
      skills={skills}
      isFull={skills.length >= maxSkillsPicked}
      onRemove={(removed) => onChange(skills.filter((skill) => skill !== removed))}
    />
  );
}

type ShownAttachmentsProps = Pick<ComposerProps, 'draft' | 'attachments' | 'blind'>;

function ShownAttachments({ draft, attachments, blind }: ShownAttachmentsProps) {
  const { attachments: attached = [] } = draft;
  if (attached.length === 0 && !attachments.isWaiting) {
    return null;
  }
  return (
    <Suspense>
      <AttachmentChips attached={attached} attachments={attachments} blind={blind} />
    </Suspense>
  );
}

/** While the palette shows options, the text field is its combobox. */
function getComboboxProps({ isOpen, matches, listId, active }: PaletteState) {
  if (!isOpen || matches.length === 0) {
    return {};
  }
  return {
    role: 'combobox',
    'aria-expanded': true,
    'aria-haspopup': 'listbox',
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-activedescendant': optionId(listId, active),
  } as const;
}

interface ComposerNoteProps {
  /** Length of the text, in characters. */
  length: number;
  doubt: SendWarning | undefined;
}

/** Why a message cannot be sent, and what to do. */
function ComposerNote({ length, doubt }: ComposerNoteProps) {
  const { t } = useTranslation();
  if (length > maxMessageLength) {
    return (
      <p className={classes.note} role="alert">
        {t('composer.tooLong', { count: length, most: maxMessageLength })}
      </p>
    );
  }
  if (!doubt) {
    return null;
  }
  return 'unknown' in doubt ? (
    <p className={classes.note} role="alert">
      {t('composer.unknownSkill', { name: doubt.unknown })}
    </p>
  ) : (
    <ErrorNote error={doubt.error} />
  );
}

interface SendButtonProps {
  /** Whether an answer is being written: it can be stopped, and new messages are queued. */
  busy: boolean;
  /** Whether a stop is already pending. */
  stopping: boolean;
  /** Whether there is nothing to send. */
  disabled: boolean;
  onSend: () => void;
  onStop: () => void;
}

function SendButton({ busy, stopping, disabled, onSend, onStop }: SendButtonProps) {
  const { t } = useTranslation();
  const look = { color: 'petrol', size: 36 };
  const send = (
    <IconButton
      {...look}
      label={t(busy ? 'composer.sendNext' : 'composer.send')}
      icon={<IconArrowUp size={20} />}
      variant={busy ? 'light' : 'filled'}
      disabled={disabled}
      onClick={onSend}
    />
  );
  if (!busy) {
    return send;
  }
  return (
    <div className={classes.tools}>
      {!disabled && send}
      <IconButton
        {...look}
        label={t('composer.stop')}
        icon={<IconPlayerStopFilled size={16} />}
        variant="filled"
        disabled={stopping}
        onClick={onStop}
      />
    </div>
  );
}
