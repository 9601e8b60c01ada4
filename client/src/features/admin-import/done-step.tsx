import type { Installed } from '@knowhow/shared/skills/skill-archives';
import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import { focusHere } from '../../ui/focus/focus-here.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import classes from './done-step.module.css';

interface DoneStepProps {
  installed: Installed['installed'];
  onAgain: () => void;
  onClose: () => void;
}

/** The result of an import, and the next steps. */
export function DoneStep({ installed, onAgain, onClose }: DoneStepProps) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return (
    <div className={classes.done}>
      <h3 ref={focusHere} tabIndex={-1} className={classes.title}>
        {t('skillImport.done', { count: installed.length })}
      </h3>
      <ul className={classes.skills}>
        {installed.map(({ name, action, off, files, bytes: size }) => (
          <li key={name}>
            <Bolt size={15} />
            <Link to={`/admin/skills/${encodeURIComponent(name)}`}>{name}</Link>
            <span>{t(actionWords[action])}</span>
            {off && <span>{t('skillImport.isOff')}</span>}
            <span className={classes.size}>
              {t('skillImport.files', { count: files })} · {bytes(size)}
            </span>
          </li>
        ))}
      </ul>
      {installed.some(({ action }) => action === 'created') && (
        <p className={classes.hint}>{t('skillImport.reachHint')}</p>
      )}
      <div className={classes.actions}>
        <Button variant="default" onClick={onAgain}>
          {t('skillImport.another')}
        </Button>
        <Button onClick={onClose}>{t('action.close')}</Button>
      </div>
    </div>
  );
}

const actionWords = {
  created: 'skillImport.created',
  replaced: 'skillImport.replaced',
  unchanged: 'skillImport.unchanged',
} as const;
