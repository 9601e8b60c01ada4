import { decodeBytes } from '@knowhow/shared/decode-bytes';
import { expect, test } from 'vitest';
import { detectAndDecode } from './detect-encoding.ts';

/** Encodes a text by inverting the decoder for every byte or pair of bytes. */
function encode(text: string, encoding: string): Uint8Array {
  const bytes = tables.get(encoding) ?? createTable(encoding);
  tables.set(encoding, bytes);
  return new Uint8Array([...text].flatMap((character) => bytes.get(character) ?? [0x3f]));
}

const tables = new Map<string, Map<string, number[]>>();

function createTable(encoding: string): Map<string, number[]> {
  const bytes = new Map<string, number[]>();
  for (let one = 0xff; one >= 0; one -= 1) {
    for (let two = 0xfe; two >= 0x40 && one >= 0x81; two -= 1) {
      bytes.set(decodeBytes(new Uint8Array([one, two]), encoding), [one, two]);
    }
  }
  for (let one = 0; one <= 0xff; one += 1) {
    bytes.set(decodeBytes(new Uint8Array([one]), encoding), [one]);
  }
  return bytes;
}

const upperHalf = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

test.each(['windows-1252', 'latin1', 'iso-8859-1', 'ascii', 'cp1252'])(
  'decodes the 32 characters of %s that Node decodes incorrectly',
  (label) => {
    const bytes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index);
    expect(decodeBytes(bytes, label)).toBe(upperHalf);
  },
);

test.each([
  ['utf-8', 'Zürich – 10 €'],
  ['windows-1252', '10 €'],
  ['windows-1252', 'Zürich'],
  ['windows-1252', 'Größe;Preis\n5;10 €\n„Äpfel“ – «déjà vu»… naïve’s ½'],
  ['windows-1252', 'Crème brûlée à la carte, s’il vous plaît : ça coûte 5 €'],
  ['shift_jis', 'これは日本語のテキストです。'],
  ['shift_jis', '名前,東京\nさとう,3'],
  ['euc-jp', 'これは日本語のテキストです。東京'],
  ['gb18030', '合同编号：2024 甲方与乙方签订'],
  ['gb18030', '产品,数量\n手机,5\n电脑,12'],
  ['big5', '合約編號 甲方與乙方的文件'],
  ['euc-kr', '안녕하세요 계약서 번호'],
  ['euc-kr', '이름;전화\n김철수;010'],
  ['windows-1251', 'Привет, как дела? Это короткий текст.'],
  ['windows-1251', 'Отчёт о продажах;100'],
  ['koi8-r', 'Привет, как дела? Это короткий текст.'],
  ['windows-1253', 'Η γρήγορη αλεπού πηδάει πάνω από το τεμπέλικο σκυλί και τρέχει.'],
  ['windows-1250', 'Příliš žluťoučký kůň úpěl ďábelské ódy, a ještě něco k tomu navíc.'],
  ['windows-1254', 'İstanbul çok güzel bir şehir ve ben onu çok özledim, değil mi?'],
])('reads %s: %s', (encoding, text) => {
  const bytes = encoding === 'utf-8' ? Buffer.from(text) : encode(text, encoding);
  expect(detectAndDecode(bytes)).toMatchObject({ encoding, text });
});
