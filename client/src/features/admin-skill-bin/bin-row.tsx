import type { BinnedSkill } from '@knowhow/shared/skills/skill-bin';
import { Button, Checkbox } from '@mantine/core';
import { IconRestore, IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import cards from '../../ui/layout/item-cards.module.css';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './bin-page.module.css';

interface BinRowProps {
  skill: BinnedSkill;
  isChosen: boolean;
  isBusy: boolean;
  onChoose: (isChosen: boolean) => void;
  onRestore: () => void;
  onRemove: () => void;
}

/** A deleted skill, with what a restore brings back. */
export function BinRow({ skill, isChosen, isBusy, onChoose, onRestore, onRemove }: BinRowProps) {
  const { t, i18n } = useTranslation();
  const { bytes, date } = useFormat();
  const { name, displayName, deletedBy, removedAt, owner, apps, groups, hasSettings } = skill;
  const list = new Intl.ListFormat(i18n.language);
  const values = { date: date(skill.deletedAt), person: deletedBy };
  const returned = [
    t('skillBin.versions', { count: skill.versions }),
    ...(owner === undefined ? [] : [t('skillBin.owner', { owner })]),
    ...(apps.length > 0 ? [t('skillBin.apps', { apps: list.format(apps) })] : []),
    ...(groups.length > 0 ? [t('skillBin.groups', { groups: list.format(groups) })] : []),
    ...(hasSettings ? [t('skillBin.settings')] : []),
  ];
  return (
    <li className={cards.card}>
      <div className={classes.head}>
        <Checkbox
          aria-label={t('skillBin.choose', { name: displayName })}
          checked={isChosen}
          onChange={(event) => onChoose(event.currentTarget.checked)}
        />
        <h2 className={cards.name}>{displayName}</h2>
      </div>
      <p className={cards.facts}>
        {displayName !== name && <code>{name}</code>}
        <span>
          {t(deletedBy === undefined ? 'skillBin.deleted' : 'skillBin.deletedBy', values)}
        </span>
        <span>
          {t('skillBin.files', { count: skill.files })} ({bytes(skill.bytes)})
        </span>
      </p>
      <p className={classes.returns}>{t('skillBin.returns', { list: list.format(returned) })}</p>
      <p className={classes.returns}>
        {removedAt === undefined
          ? t('skillBin.stays')
          : t('skillBin.removedAt', { date: date(removedAt) })}
      </p>
      <div className={classes.actions}>
        <Button
          variant="default"
          disabled={isBusy}
          leftSection={<IconRestore size={16} aria-hidden />}
          onClick={onRestore}
          aria-label={t('skillBin.restoreName', { name: displayName })}
        >
          {t('skillBin.restore')}
        </Button>
        <Button
          variant="default"
          className={classes.remove}
          disabled={isBusy}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={onRemove}
          aria-label={t('skillBin.removeName', { name: displayName })}
        >
          {t('skillBin.remove')}
        </Button>
      </div>
    </li>
  );
}
