import { unshownSettings } from '@knowhow/shared/config/admin-settings';
import { declarationOf, leafPaths } from '@knowhow/shared/config/schema-fields';
import { Fragment, type ReactNode } from 'react';
import { z } from 'zod';
import { FormSection } from '../form-section.tsx';
import type { SettingPath } from '../items/config-path.ts';
import { useDraft } from '../items/draft-context.ts';
import classes from '../items/item-page.module.css';
import { SettingField } from './setting-field.tsx';

interface SettingsSectionProps {
  title: string;
  description?: string;
  /** All settings at and below these paths are shown, in the order of the schema. */
  fields: readonly SettingPath[];
  /** Whether each field has a row of its own, for fields with long descriptions. */
  inRows?: boolean;
  /** Fields that the schema alone cannot describe. */
  special?: Partial<Record<SettingPath, ReactNode>>;
}

/** A section of the settings. Its fields come from the schema. */
export function SettingsSection(props: SettingsSectionProps) {
  const { fields, special = {}, inRows = false, ...rest } = props;
  const { schema } = useDraft();
  const paths = fields.flatMap((path) => leafPaths(schema, path)) as SettingPath[];
  return (
    <FormSection {...rest} fields={fields}>
      <div className={classes.pair}>
        {paths
          .filter((path) => !unshownSettings.includes(path))
          .map((path) => {
            const field = special[path] ?? <SettingField path={path} />;
            return inRows || isWide(declarationOf(schema, path).schema) ? (
              <div key={path} className={classes.wide}>
                {field}
              </div>
            ) : (
              <Fragment key={path}>{field}</Fragment>
            );
          })}
      </div>
    </FormSection>
  );
}

function isWide(schema: z.ZodType): boolean {
  return schema instanceof z.ZodBoolean || schema instanceof z.ZodArray;
}
