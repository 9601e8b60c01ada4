import { type BackupPart, backupParts } from '@knowhow/shared/config/backup';
import { useTranslation } from 'react-i18next';

/** Returns the localized name of a part; a single item, such as `skills/pdf`, keeps its name. */
export function usePartName(): (name: string) => string {
  const { t } = useTranslation();
  return (name) => {
    const part = backupParts.find((known) => known === name);
    return part ? t(names[part]) : name;
  };
}

const names = {
  apps: 'adminBackup.parts.apps',
  models: 'adminBackup.parts.models',
  prompts: 'adminBackup.parts.prompts',
  config: 'adminBackup.parts.config',
  skills: 'adminBackup.parts.skills',
  other: 'adminBackup.parts.other',
  data: 'adminBackup.parts.data',
} as const satisfies Record<BackupPart, string>;
