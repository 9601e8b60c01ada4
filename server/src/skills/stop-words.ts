/** Stop words, without accents. */
export const stopWords: Readonly<Record<'en' | 'de', ReadonlySet<string>>> = {
  en: new Set(
    `a about above after again all also am an and any are aren as at be because been before being below
    between both but by can could couldn did didn do does doesn doing don down during each even every few
    for from further get gets give got had has have having he her here hers him his how if in into is isn
    it its itself just let like ll make makes me more most much must my myself no nor not now of off on
    once one only or other our out over own please same she should so some such than that the their them
    then there these they this those through to too under until up upon us very via was wasn we were what
    when where whether which while who whom why will with within without won would you your yours yourself
    re ve`.split(/\s+/),
  ),
  de: new Set(
    `aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim bin bis
    bitte bist da dabei damit dann das dass dein deine deinen dem den denn der des dessen dich die dies
    diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines einige er es
    etwas euch euer eure falls fur gegen haben hast hat hatte hier hin ich ihm ihn ihnen ihr ihre ihrem
    ihren ihrer im in indem ins ist ja jede jedem jeden jeder jedes jetzt kann kannst kein keine keinen
    konnen konnte machen mal man mehr mein meine meinem meinen meiner mich mir mit muss mussen nach nicht
    nichts noch nun nur ob oder ohne schon sehr sein seine seinem seinen seiner seit sich sie sind so
    solche soll sollen sollte sondern sonst uber um und uns unser unsere unter vom von vor war waren warum
    was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder will wir wird wo
    wollen wurde wurden zu zum zur zwar zwischen`.split(/\s+/),
  ),
};
