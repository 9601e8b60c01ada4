import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { maxTriggerModels } from '@knowhow/shared/skills/trigger-schedule';
import type { TriggerPrompt } from '@knowhow/shared/skills/trigger-tests';
import { Button, Checkbox, NativeSelect, Progress, Switch } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { focusHere } from '../../../ui/focus/focus-here.ts';
import { LimitedTextarea } from '../../../ui/forms/limited-textarea.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useAutosize } from '../../../ui/use-autosize.ts';
import { useConfigItems } from '../../../ui/use-config-items.ts';
import { appAssignments } from '../assignments.ts';
import { useSkillUpdate } from '../use-skill-update.ts';
import classes from './run-form.module.css';
import { useModels } from './use-models.ts';
import type { Run, RunningTests } from './use-run.ts';

interface RunFormProps {
  skill: AdminSkillDetail;
  prompts: readonly TriggerPrompt[];
  run: Run;
}

/** Models, app and description of a test run. */
export function RunForm({ skill, prompts, run }: RunFormProps) {
  const { t, i18n } = useTranslation();
  const { number } = useFormat();
  const { models, ...loaded } = useModels();
  const apps = useConfigItems('apps');
  const [chosen, setChosen] = useState<string[]>();
  const [app, setApp] = useState('');
  const [description, setDescription] = useState<string>();
  const ids = (chosen ?? models.slice(0, 1).map(({ id }) => id)).filter((id) =>
    models.some((model) => model.id === id),
  );
  const requests = prompts.length * ids.length;

  function begin() {
    const tried = description?.trim() ?? '';
    void run.begin({
      prompts: [...prompts],
      models: ids,
      ...(app === '' ? {} : { app }),
      ...(tried === '' || tried === skill.description ? {} : { description: tried }),
    });
  }

  return (
    <div className={classes.form}>
      <LoadError queries={[loaded, apps]} />
      <Checkbox.Group
        label={t('triggers.models')}
        description={t('triggers.modelsHint', { count: maxTriggerModels })}
        value={ids}
        onChange={(next) => setChosen(next.slice(0, maxTriggerModels))}
      >
        <div className={classes.models}>
          {models.map(({ id, name }) => (
            <Checkbox key={id} value={id} label={name} />
          ))}
        </div>
      </Checkbox.Group>
      {loaded.data !== undefined && models.length === 0 && <p>{t('triggers.noModels')}</p>}
      <NativeSelect
        className={classes.app}
        label={t('triggers.app')}
        value={app}
        onChange={(event) => setApp(event.currentTarget.value)}
        data={[
          { value: '', label: t('triggers.noApp') },
          ...appAssignments(skill, apps.data ?? [], i18n.language)
            .filter(({ id }) => skill.apps.includes(id))
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <TrialDescription skill={skill} value={description} onChange={setDescription} />
      {run.current ? (
        <RunProgress running={run.current} onStop={run.stop} />
      ) : (
        <div className={classes.begin}>
          <Button
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            disabled={requests === 0}
            onClick={begin}
          >
            {t('triggers.begin')}
          </Button>
          <span className={classes.cost}>
            {t('triggers.requests', { count: requests, shown: number(requests) })}
          </span>
        </div>
      )}
      {run.error !== undefined && <ErrorNote error={run.error} />}
    </div>
  );
}

/** Progress of a run, with a stop button. */
function RunProgress({ running, onStop }: { running: RunningTests; onStop: () => void }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { results, total } = running;
  const words = t('triggers.progress', { done: number(results.length), total: number(total) });
  return (
    <div className={classes.progress}>
      <Button
        ref={focusHere}
        variant="default"
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={onStop}
      >
        {t('triggers.stop')}
      </Button>
      <div className={classes.bar}>
        <p role="status">{words}</p>
        <Progress aria-label={words} value={(100 * results.length) / total} animated />
      </div>
    </div>
  );
}

interface TrialDescriptionProps {
  skill: AdminSkillDetail;
  /** Undefined if the skill's own is used. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A test description, used for the next runs until it is applied. */
function TrialDescription({ skill, value, onChange }: TrialDescriptionProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.trial}>
      <Switch
        label={t('triggers.reword')}
        description={t('triggers.rewordHint')}
        checked={value !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? skill.description : undefined)}
      />
      {value !== undefined && <Wording skill={skill} value={value} onChange={onChange} />}
    </div>
  );
}

function Wording({ skill, value, onChange }: TrialDescriptionProps & { value: string }) {
  const { t } = useTranslation();
  const { update, isPending } = useSkillUpdate(skill);
  const field = useRef<HTMLTextAreaElement>(null);
  useAutosize(field, value);
  const saved = skill.overrides.description ?? '';
  const description = value.trim();
  const isOther = description !== '' && description !== skill.description;

  function takeOver() {
    update({
      change: { overrides: { description } },
      shown: { overrides: { ...skill.overrides, description }, description },
      done: {
        message: t('skillPage.descriptionSaved'),
        back: () => ({ overrides: { description: saved } }),
      },
    });
    onChange(undefined);
  }

  return (
    <>
      <LimitedTextarea
        ref={field}
        label={t('triggers.otherDescription')}
        rows={3}
        maxLength={4000}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {isOther && (
        <div className={classes.takeOver}>
          <Button variant="default" size="xs" loading={isPending} onClick={takeOver}>
            {t('triggers.takeOver')}
          </Button>
        </div>
      )}
    </>
  );
}
