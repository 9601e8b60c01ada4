import { modelsApi } from '@knowhow/shared/config/models';
import { inboxApi } from '@knowhow/shared/skills/inbox';
import { maxReplayedMessage, type SkillDraft } from '@knowhow/shared/skills/skill-drafts';
import { Button, Modal, NativeSelect } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { allItems, query } from '../../../api/query.ts';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import classes from './replay-dialog.module.css';
import { type ReplayedAnswer, useReplay } from './use-replay.ts';

interface ReplayDialogProps {
  draft: SkillDraft;
  opened: boolean;
  onClose: () => void;
}

/** Answers a message with the published version and with the draft, side by side. */
export function ReplayDialog({ draft, opened, onClose }: ReplayDialogProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('replay.title')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(72rem, 96vw)"
      centered
    >
      <Replay draft={draft} />
    </Modal>
  );
}

function Replay({ draft }: Pick<ReplayDialogProps, 'draft'>) {
  const { t } = useTranslation();
  const { skill, published } = draft;
  const { answers, isRunning, error, begin, stop } = useReplay(skill);
  const { models, ...loaded } = useUsableModels();
  const [message, setMessage] = useState('');
  const [chosen, setChosen] = useState('');
  const model = models.find(({ id }) => id === chosen) ?? models[0];
  const isReady = message.trim() !== '' && model !== undefined;
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !isRunning) {
          void begin(message, model.id);
        }
      }}
    >
      <p className={classes.about}>
        {published === undefined ? t('replay.aboutNew') : t('replay.about')}
      </p>
      <LoadError queries={[loaded]} />
      <SuggestedQuestions skill={skill} onChoose={setMessage} />
      <LimitedTextarea
        label={t('replay.message')}
        value={message}
        onChange={(event) => setMessage(event.currentTarget.value)}
        maxLength={maxReplayedMessage}
        rows={3}
        data-autofocus
      />
      <div className={classes.begin}>
        <NativeSelect
          label={t('replay.model')}
          value={model?.id ?? ''}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={models.map(({ id, name }) => ({ value: id, label: name }))}
        />
        {isRunning ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStop size={16} aria-hidden />}
            onClick={stop}
          >
            {t('replay.stop')}
          </Button>
        ) : (
          <Button
            type="submit"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={!isReady}
          >
            {t('replay.begin')}
          </Button>
        )}
      </div>
      {loaded.data?.length === 0 && <p>{t('replay.noModels')}</p>}
      {error !== undefined && <ErrorNote error={error} />}
      {answers && (
        <div className={classes.answers} aria-busy={isRunning}>
          {answers.map((answer) => (
            <Answer key={answer.side} answer={answer} published={published} isRunning={isRunning} />
          ))}
        </div>
      )}
    </form>
  );
}

interface AnswerProps {
  answer: ReplayedAnswer;
  /** Number of the published version. */
  published: number | undefined;
  isRunning: boolean;
}

function Answer({ answer: { side, text, end }, published, isRunning }: AnswerProps) {
  const { t } = useTranslation();
  const { number, seconds } = useReplayFormat();
  const heading = useId();
  return (
    <section className={classes.answer} aria-labelledby={heading}>
      <h3 id={heading}>
        {side === 'draft' ? t('replay.draft') : t('replay.published', { version: published })}
      </h3>
      {text !== '' && (
        <Suspense fallback={<PlainText text={text} />}>
          <Markdown text={text} streaming={!end && isRunning} />
        </Suspense>
      )}
      {end?.type === 'error' && <ErrorNote error={end} />}
      <p className={classes.facts} role="status">
        {end?.type === 'end' &&
          t('replay.cost', {
            input: number(end.inputTokens),
            output: number(end.outputTokens),
            time: seconds(end.ms),
          })}
        {!end && (isRunning ? t('replay.running') : t('replay.stopped'))}
      </p>
    </section>
  );
}

function useReplayFormat() {
  const { number } = useFormat();
  const { i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language, {
    style: 'unit',
    unit: 'second',
    maximumFractionDigits: 1,
  });
  return { number, seconds: (ms: number) => format.format(ms / 1000) };
}

/** The models that the user may use; a language model first. */
function useUsableModels() {
  const localize = useLocalize();
  const loaded = useQuery(allItems(modelsApi.list, {}));
  const rank = ({ isDefault, provider }: { isDefault: boolean; provider: string }) =>
    isDefault ? 0 : provider === 'demo' ? 2 : 1;
  const models = (loaded.data ?? [])
    .filter(({ needs }) => needs === undefined)
    .map(({ id, name, provider, default: isDefault }) => ({
      ...{ id, name: localize(name) || id },
      rank: rank({ isDefault, provider }),
    }))
    .sort((one, other) => one.rank - other.rank);
  return { ...loaded, models };
}

interface SuggestedQuestionsProps {
  skill: string;
  onChoose: (question: string) => void;
}

/** The questions that came with open suggestions for the skill, to be answered again. */
function SuggestedQuestions({ skill, onChoose }: SuggestedQuestionsProps) {
  const { t } = useTranslation();
  const { data } = useQuery(query(inboxApi.list, { query: { limit: 200 } }));
  const questions = (data?.items ?? []).flatMap(({ id, skill: { name }, evidence, comment }) =>
    name === skill && evidence ? [{ id, comment, question: evidence.question }] : [],
  );
  if (questions.length === 0) {
    return null;
  }
  return (
    <NativeSelect
      label={t('replay.suggestions')}
      defaultValue=""
      onChange={(event) => {
        const chosen = questions.find(({ id }) => id === event.currentTarget.value);
        if (chosen) {
          onChoose(chosen.question);
        }
      }}
      data={[
        { value: '', label: t('replay.choose') },
        ...questions.map(({ id, comment, question }) => ({
          value: id,
          label: `${shorten(question)} – ${shorten(comment)}`,
        })),
      ]}
    />
  );
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
