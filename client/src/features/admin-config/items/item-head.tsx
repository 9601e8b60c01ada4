import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { appLookOf } from '@knowhow/shared/config/app-look';
import { Link } from 'react-router';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { AppIcon } from '../../../ui/app-icon.tsx';
import { nameOf } from '../name-of.ts';
import { textOf } from './config-value.ts';
import classes from './item-list.module.css';

interface ItemHeadProps {
  kind: ConfigKind;
  item: ConfigItem;
}

/** Name and links of an item, and the error of its file. */
export function ItemHead({ kind, item }: ItemHeadProps) {
  const localize = useLocalize();
  const { fault, config } = item;
  return (
    <>
      <Link className={classes.name} to={`/admin/${kind}/${encodeURIComponent(item.id)}`}>
        {kind === 'apps' && (
          <AppIcon {...appLookOf({ icon: textOf(config?.icon), color: textOf(config?.color) })} />
        )}
        {nameOf(item, localize)}
      </Link>
      <span className={classes.id}>{item.id}</span>
      {fault && (
        <span className={classes.fault}>
          {fault.field === undefined ? fault.message : `${fault.field}: ${fault.message}`}
        </span>
      )}
    </>
  );
}
