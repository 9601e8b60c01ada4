const utf8Flag = 0x0800;
/** The upper half of code page 437, the default encoding of names in zips. */
const codePage437 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/**
 * An entry's name: UTF-8 if it is valid, because many tools do not set the flag; otherwise CP437.
 */
export function zipName({ rawName, flags }: { rawName: Buffer; flags: number }): string {
  const text = rawName.toString('utf8');
  if (flags & utf8Flag || Buffer.from(text).equals(rawName)) {
    return text;
  }
  return [...rawName]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : codePage437.charAt(byte - 0x80)))
    .join('');
}
