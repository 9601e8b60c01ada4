import type { ConfigItem, ConfigKind } from '@knowhow/shared/config/admin-config';
import { getAppLook } from '@knowhow/shared/config/app-look';
import { Link } from 'react-router';
import { useLocalize } from '../../../i18n/use-localize.ts';
import { AppIcon } from '../../../ui/app-icon.tsx';
import { getDisplayName } from '../get-display-name.ts';
import { asText } from './config-value.ts';
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
          <AppIcon {...getAppLook({ icon: asText(config?.icon), color: asText(config?.color) })} />
        )}
        {getDisplayName(item, localize)}
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
