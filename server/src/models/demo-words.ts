/** Stop words in both languages, including verbs that fit any subject. */
export const commonWords: ReadonlySet<string> = new Set(
  `also am an check create die erstelle erstellen hat in man prüf prüfe prüfen review schreib
  schreibe schreiben so war was will write writes writing written`.split(/\s+/),
);

/** English stop words; none is German, so they identify the language. */
export const englishWords: ReadonlySet<string> = new Set(
  `a about all and any are as be been but by can could do does done did for from get give had has
  have he help her here how i if into is it its just let like make may me my need no not of on one
  or our out please should show some tell than thank thanks that the their them then there these
  they this to too up us use used uses using very want we what when where which who why with would
  yes you your`.split(/\s+/),
);

/** German stop words. */
export const germanWords: ReadonlySet<string> = new Set(
  `aber alle als auch auf aus bei bitte danke das dass dein deine dem den denn der des dies diese
  diesem diesen dieser dieses doch du durch ein eine einem einen einer eines er es etwas für ganz gib
  habe haben hallo hast hier ich ihr ihre im ist jetzt kann kannst kein keine können mach mache
  machen mal mehr mein meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur
  ob oder ohne sein seine sich sie sind soll sollen sollte über um und uns unser unsere unter viel vom
  von vor wann warum weil welche welcher welches wenn wer werden wie wieder wir wird wo zeig zeige
  zu zum zur`.split(/\s+/),
);
