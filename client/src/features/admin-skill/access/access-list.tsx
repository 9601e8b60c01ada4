import { Select } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './access-list.module.css';
import type { AccessProps } from './access-props.ts';
import { useAccessRule } from './use-access-rule.ts';

/** One app at a time, with all groups; initially one in which a group has access. */
export function AccessList({ groups, apps, cellOf }: AccessProps) {
  const { t } = useTranslation();
  const ruleText = useAccessRule();
  const [chosen, setChosen] = useState<string>();
  const seen = (app: string) => groups.filter(({ id }) => cellOf(id, app)?.sees).length;
  const app = chosen ?? apps.find(({ id }) => seen(id) > 0)?.id ?? apps[0]?.id ?? '';
  return (
    <div className={classes.list}>
      <Select
        label={t('skillPage.app')}
        data={apps.map(({ id, name }) => ({
          value: id,
          label: t('skillPage.seenByGroups', { app: name, count: seen(id) }),
        }))}
        value={app}
        onChange={(value) => setChosen(value ?? undefined)}
        allowDeselect={false}
        searchable={apps.length > 10}
      />
      <ul>
        {groups.map(({ id, name }) => {
          const cell = cellOf(id, app);
          return (
            <li key={id} data-sees={cell?.sees || undefined}>
              {cell?.sees ? <IconCheck size={18} aria-hidden /> : <IconX size={18} aria-hidden />}
              <strong>{name}</strong>
              {cell && (
                <span>
                  {t('skillPage.answer', {
                    answer: cell.sees ? t('skillPage.yes') : t('skillPage.no'),
                    rule: ruleText(cell),
                  })}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
