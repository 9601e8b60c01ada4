import { Button } from '@mantine/core';
import { IconBrandGit } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainField } from '../../ui/forms/plain-field.tsx';
import classes from './address-form.module.css';
import type { AddressInput } from './read-address.ts';

interface AddressFormProps {
  /** The last entry, to correct it. */
  last: AddressInput | undefined;
  onAddress: (address: AddressInput) => void;
}

/** Asks for the address of a git repository, and optionally for a ref and a folder. */
export function AddressForm({ last, onAddress }: AddressFormProps) {
  const { t } = useTranslation();
  const [address, setAddress] = useState(last?.address ?? '');
  const [ref, setRef] = useState(last?.ref ?? '');
  const [path, setPath] = useState(last?.path ?? '');

  function submit(event: FormEvent) {
    event.preventDefault();
    const [wantedRef, wantedPath] = [ref.trim(), path.trim()];
    onAddress({
      address: address.trim(),
      ...(wantedRef === '' ? {} : { ref: wantedRef }),
      ...(wantedPath === '' ? {} : { path: wantedPath }),
    });
  }

  return (
    <form className={classes.form} aria-labelledby="import-address" onSubmit={submit}>
      <h3 id="import-address" className={classes.title}>
        {t('skillImport.fromAddress')}
      </h3>
      <PlainField
        label={t('skillImport.address')}
        description={t('skillImport.addressAbout')}
        placeholder={t('skillImport.addressExample')}
        value={address}
        maxLength={2000}
        onChange={setAddress}
      />
      <div className={classes.pair}>
        <PlainField
          label={t('skillImport.ref')}
          placeholder={t('skillImport.refDefault')}
          value={ref}
          maxLength={200}
          onChange={setRef}
        />
        <PlainField
          label={t('skillImport.folder')}
          placeholder={t('skillImport.folderDefault')}
          value={path}
          maxLength={1000}
          onChange={setPath}
        />
        <Button
          type="submit"
          variant="default"
          disabled={address.trim() === ''}
          leftSection={<IconBrandGit size={17} aria-hidden />}
        >
          {t('skillImport.readAddress')}
        </Button>
      </div>
    </form>
  );
}
