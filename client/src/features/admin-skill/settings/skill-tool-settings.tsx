import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import {
  skillToolSettingsApi,
  type SkillToolSettings as ToolSettings,
} from '@knowhow/shared/skills/skill-tool-settings';
import { Button, PasswordInput, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { query } from '../../../api/query.ts';
import { refreshSkills } from '../../../api/refresh-skills.ts';
import type { Input } from '../../../api/request.ts';
import { Section } from '../../../ui/layout/section.tsx';
import { ErrorNote } from '../../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import { parseHosts } from '../overview/parse-hosts.ts';
import { skillQuery } from '../use-skill.ts';
import { WriteError } from '../write-error.tsx';
import classes from './skill-tool-settings.module.css';

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

type ToolSettingsChange = Input<typeof skillToolSettingsApi.put>['body'];

function toolSettingsQuery(name: string) {
  return query(skillToolSettingsApi.get, { params: { name } });
}

/** Saves the settings of a skill's code, unless another user has changed the skill in the meantime. */
function useSaveToolSettings(name: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: ToolSettingsChange) => {
      const ifMatch = queryClient.getQueryData(skillQuery(name).queryKey)?.settingsChecksum;
      return call(
        skillToolSettingsApi.put,
        { params: { name }, body },
        ifMatch === undefined ? {} : { ifMatch },
      );
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(toolSettingsQuery(name).queryKey, saved);
      return refreshSkills(queryClient);
    },
  });
}

interface ToolSettingFieldProps {
  setting: ToolSettings['settings'][number];
  /** Null: delete; undefined: unchanged. */
  typed: string | null | undefined;
  onType: (value: string | null | undefined) => void;
}

/** One setting of a plugin. A secret only shows whether it is set. */
function ToolSettingField({ setting, typed, onType }: ToolSettingFieldProps) {
  const { t } = useTranslation();
  const { name, hint, required, secret, default: standard, value, isSet, inFile } = setting;
  const isThere = typed === undefined ? isSet : typed !== null;
  const notes = [
    hint && sentence(revealHiddenCharacters(hint)),
    secret && t('toolSettings.secret'),
    inFile && t('toolSettings.inFile'),
  ].filter(Boolean);
  const texts = {
    label: revealHiddenCharacters(name),
    description: notes.join(' ') || undefined,
    error: required && !isThere && !standard ? t('toolSettings.needed') : undefined,
    autoComplete: 'off',
    maxLength: 10_000,
  };
  return (
    <div className={classes.field}>
      {secret ? (
        <PasswordInput
          {...texts}
          autoComplete="new-password"
          placeholder={isThere ? t('toolSettings.kept') : undefined}
          value={typed ?? ''}
          visibilityToggleButtonProps={{ 'aria-label': t('toolSettings.show', { name }) }}
          onChange={(event) => onType(event.currentTarget.value || undefined)}
        />
      ) : (
        <TextInput
          {...texts}
          placeholder={standard && revealHiddenCharacters(standard)}
          value={typed === undefined ? (value ?? '') : (typed ?? '')}
          onChange={(event) => {
            const text = event.currentTarget.value;
            onType(text === (value ?? '') ? undefined : text || null);
          }}
        />
      )}
      {secret && isSet && (
        <Button
          variant="default"
          size="sm"
          aria-label={
            typed === null
              ? t('toolSettings.keepOf', { name })
              : t('toolSettings.forgetOf', { name })
          }
          onClick={() => onType(typed === null ? undefined : null)}
        >
          {t(typed === null ? 'toolSettings.keep' : 'toolSettings.forget')}
        </Button>
      )}
    </div>
  );
}

/** Keeps the sentence separate from those that follow. */
function sentence(text: string): string {
  return /[.!?:]$/.test(text.trim()) ? text : `${text}.`;
}
