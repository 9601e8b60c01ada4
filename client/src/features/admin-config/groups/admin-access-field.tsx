import { adminRights, everyRight } from '@knowhow/shared/access/admin-rights';
import { Checkbox, Switch } from '@mantine/core';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { RightsContext } from '../../../ui/rights.ts';
import { rightNames } from '../../../ui/text/right-names.ts';
import classes from '../admin-access-field.module.css';
import { asTexts } from '../items/config-value.ts';
import { useField } from '../items/draft-context.ts';

/** Admin permissions of members: all, or selected ones. Users cannot grant permissions that they lack. */
export function AdminAccessField() {
  const { t } = useTranslation();
  const { value, set, error } = useField('permissions.adminAccess');
  const own = use(RightsContext);
  const hasAll = own.includes(everyRight);
  const picked = asTexts(value);
  const isAll = value === true || picked.includes(everyRight);
  return (
    <div className={classes.admin} data-on={isAll || undefined}>
      <Switch
        label={t('adminConfig.group.adminAccess')}
        description={t('adminConfig.group.adminAccessAbout')}
        checked={isAll}
        disabled={!hasAll}
        error={error}
        onChange={(event) => set(event.currentTarget.checked)}
      />
      {!isAll && (
        <Checkbox.Group
          label={t('adminConfig.group.someRights')}
          description={t('adminConfig.group.someRightsAbout')}
          value={picked}
          onChange={(rights) => set(rights.length > 0 ? rights : false)}
        >
          <div className={classes.rights}>
            {adminRights.map((right) => (
              <Checkbox
                key={right}
                value={right}
                label={t(rightNames[right])}
                disabled={!hasAll && !own.includes(right)}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </div>
  );
}
