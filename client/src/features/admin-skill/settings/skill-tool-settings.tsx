import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import type { SkillToolSettings as ToolSettings } from '@knowhow/shared/skills/skill-tool-settings';
import { Button, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/layout/section.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { parseHosts } from '../overview/parse-hosts.ts';
import { WriteError } from '../write-error.tsx';
import classes from './skill-tool-settings.module.css';
import { ToolSettingField } from './tool-setting-field.tsx';
import { toolSettingsQuery, useSaveToolSettings } from './tool-settings-query.ts';

/** Settings and allowed hosts of a skill's code; renders nothing without code. */
export function SkillToolSettings({ skill }: { skill: AdminSkillDetail }) {
  return skill.metadata.tool !== undefined && <Loaded skill={skill} />;
}

function Loaded({ skill: { name } }: { skill: AdminSkillDetail }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(toolSettingsQuery(name));
  if (!error && !data?.runsCode) {
    return null;
  }
  return (
    <Section title={t('toolSettings.title')} text={t('toolSettings.text')}>
      {error && <ErrorNote error={error} onRetry={() => refetch()} />}
      {data && <SettingsForm name={name} saved={data} />}
    </Section>
  );
}

function SettingsForm({ name, saved }: { name: string; saved: ToolSettings }) {
  const { t } = useTranslation();
  const save = useSaveToolSettings(name);
  const [typed, setTyped] = useState<Record<string, string | null>>({});
  const [lines, setLines] = useState<string>();
  const text = lines ?? saved.hosts.join('\n');
  const { hosts, wrong } = parseHosts(text);
  const isSame = hosts.join() === saved.hosts.join();
  const isChanged = Object.keys(typed).length > 0 || !isSame || wrong.length > 0;

  function type(key: string, value: string | null | undefined) {
    const { [key]: _, ...others } = typed;
    setTyped(value === undefined ? others : { ...others, [key]: value });
  }

  function onSuccess() {
    setTyped({});
    setLines(undefined);
    notifications.show({ message: t('toolSettings.saved') });
  }

  function onSubmit(event: SubmitEvent) {
    event.preventDefault();
    const settings = Object.keys(typed).length > 0 ? { settings: typed } : {};
    save.mutate({ ...settings, ...(isSame ? {} : { hosts }) }, { onSuccess });
  }

  return (
    <form className={classes.form} onSubmit={onSubmit}>
      {saved.settings.map((setting) => (
        <ToolSettingField
          key={setting.name}
          setting={setting}
          typed={typed[setting.name]}
          onType={(value) => type(setting.name, value)}
        />
      ))}
      <Textarea
        label={t('toolSettings.hosts')}
        description={t('toolSettings.hostsText')}
        error={
          wrong.length > 0 &&
          t('toolSettings.wrong', { lines: revealHiddenCharacters(wrong.join(', ')) })
        }
        classNames={{ input: classes.hosts }}
        value={text}
        onChange={(event) => setLines(event.currentTarget.value)}
        rows={3}
        spellCheck={false}
        autoCapitalize="off"
      />
      {save.error && <WriteError error={save.error} onReloaded={save.reset} />}
      <div className={classes.actions}>
        <Button
          type="submit"
          size="sm"
          disabled={!isChanged || wrong.length > 0}
          loading={save.isPending}
        >
          {t('toolSettings.save')}
        </Button>
      </div>
    </form>
  );
}
