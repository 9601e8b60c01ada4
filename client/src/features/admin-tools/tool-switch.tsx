import type { AdminTool } from '@knowhow/shared/config/admin-tools';
import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useErrorToast } from '../../ui/text/use-error-toast.ts';
import { useUndoToast } from '../../ui/use-undo-toast.tsx';
import classes from './tool-list.module.css';
import { useDecision } from './tools-query.ts';

/** Switches a tool on or off at once, with undo in a toast. */
export function ToolSwitch({ tool: { name, title, enabled } }: { tool: AdminTool }) {
  const { t } = useTranslation();
  const { decide } = useDecision();
  const showUndo = useUndoToast();
  const showError = useErrorToast();
  const write = (isOn: boolean) => decide.mutateAsync({ name, decision: { enabled: isOn } });
  return (
    <Switch
      className={classes.switch}
      aria-label={t('adminTools.use', { title })}
      checked={decide.isPending ? decide.variables.decision.enabled === true : enabled}
      onChange={(event) => {
        const isOn = event.currentTarget.checked;
        const message = t(isOn ? 'adminTools.isOn' : 'adminTools.isOff', { title });
        write(isOn).then(() => showUndo({ message, undo: () => write(!isOn) }), showError);
      }}
    />
  );
}
