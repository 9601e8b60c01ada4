import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';

/** Formats the number of database rows of a kind: "12 users". */
export function useRowName(): (kind: string, count: number) => string {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (kind, count) => {
    const rows = number(count);
    return isKnown(kind)
      ? t(names[kind], { count, rows })
      : t('adminBackup.rowKinds.unknown', { rows, kind });
  };
}

function isKnown(kind: string): kind is keyof typeof names {
  return Object.hasOwn(names, kind);
}

const names = {
  users: 'adminBackup.rowKinds.users',
  conversations: 'adminBackup.rowKinds.conversations',
  messages: 'adminBackup.rowKinds.messages',
  activations: 'adminBackup.rowKinds.activations',
  skill_texts: 'adminBackup.rowKinds.skill_texts',
  tool_results: 'adminBackup.rowKinds.tool_results',
  vendor_states: 'adminBackup.rowKinds.vendor_states',
  lines: 'adminBackup.rowKinds.lines',
  compactions: 'adminBackup.rowKinds.compactions',
} as const;
