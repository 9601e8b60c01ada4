import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { maxTriggerModels, type TriggerPrompt } from '@knowhow/shared/skills/trigger-tests';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { useConfigItems } from '../../../ui/use-config-items.ts';
import { appAssignments } from '../assignments.ts';
import classes from './run-form.module.css';
import { RunProgress } from './run-progress.tsx';
import { TrialDescription } from './trial-description.tsx';
import { useModels } from './use-models.ts';
import type { Run } from './use-run.ts';

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
