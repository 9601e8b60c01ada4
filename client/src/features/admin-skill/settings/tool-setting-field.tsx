import type { SkillToolSettings } from '@knowhow/shared/skills/skill-tool-settings';
import { Button, PasswordInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { revealHiddenCharacters } from '../../../ui/text/visible-text.ts';
import classes from './skill-tool-settings.module.css';

interface ToolSettingFieldProps {
  setting: SkillToolSettings['settings'][number];
  /** Null: delete; undefined: unchanged. */
  typed: string | null | undefined;
  onType: (value: string | null | undefined) => void;
}

/** One setting of a plugin. A secret only shows whether it is set. */
export function ToolSettingField({ setting, typed, onType }: ToolSettingFieldProps) {
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
