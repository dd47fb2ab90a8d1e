// Das erste Spiel mit Begleitung, und was die Zeichen bedeuten, auf Deutsch.

import type { Lesson } from './en_lessons';

const ask = { say: 'Unsicher? „Was würdest du spielen?“ fragt einen Bot, der seine Idee golden markiert. Das gibt es nur, wenn du gegen Bots spielst.', mark: '.hint-ask' };

export const lessons: Record<string, Lesson> = {
  'paper-soccer': {
    steps: [
      { say: 'Der Ball liegt mitten auf dem Papier. Du gewinnst, wenn er in das Tor mit deinem Namen kommt.' },
      { say: 'An Punkten war noch niemand. Wähle einen: Der Ball geht dorthin, zieht eine Linie, und dein Zug ist vorbei.', own: 1, mark: '.drawing' },
      { say: 'Jetzt hat der Bot gezeichnet. Seine Linien sind gestrichelt, und „Noch einmal zeigen“ wiederholt seinen letzten Zug.' },
      { say: 'Ringe haben schon eine Linie. Dort prallt der Ball ab, und du zeichnest weiter. Auch der Rand federt. Mach einen Zug, mit einem Abpraller, wenn es einen gibt.', own: 1, mark: '.drawing' },
      { say: 'Einen Zug aus mehreren Linien kannst du zurücknehmen, bis du ihn bestätigst.' },
      { say: 'Keine Linie wird zweimal gezogen, und wer den Ball ohne Ausweg lässt, hat verloren. Vorsicht in den Ecken.' },
      ask,
      { say: 'Noch zwei Züge: Suche Ringe hintereinander, die den Ball nach oben tragen.', own: 2, mark: '.drawing' },
      { say: 'Im Verlauf steht jeder Zug; ein Klick zeigt die Stellung. Du kennst jetzt alle Regeln: Gewinne!', mark: '.log' },
    ],
    signs: [
      ['•', 'ein neuer Punkt: Dort endet dein Zug'],
      ['○', 'ein Punkt mit Linie: Der Ball prallt ab, es geht weiter'],
      ['—', 'Linien von Platz 1'],
      ['- -', 'Linien von Platz 2'],
      ['◉', 'der Ball'],
    ],
  },
  'treasure-hunt': {
    steps: [
      { say: 'Eine Hälfte dieses Landes gehört dir, mit deiner Burg. Irgendwo darin liegt dein Schatz; die Burg des anderen liegt in der anderen Hälfte.' },
      { say: 'Du siehst nur, woran du vorbeigekommen bist. Geh auf ein Nachbarfeld: Wähle eines, das leuchtet.', own: 1, mark: '.drawing' },
      { say: 'Ein Schritt kostet Aktionen: eine, um Gras zu verlassen oder zu betreten, zwei für einen Berg. Manche Schritte brauchen also mehrere Klicks in dieselbe Richtung.', own: 2, mark: '.drawing' },
      { say: 'Niemand kann schwimmen: Um Wasser musst du herumgehen.' },
      { say: 'Von einem Berg siehst du die acht Felder ringsum. Das lohnt sich, solange du noch etwas suchst.' },
      ask,
      { say: 'Geh weiter und suche deinen Schatz in deiner eigenen Hälfte.', own: 3, mark: '.drawing' },
      { say: 'Hast du den Schatz, geh hinüber und finde die andere Burg. Wer zuerst dort ist, hat gewonnen. Viel Glück!' },
    ],
    signs: [
      ['Gras', 'eine Aktion hinaus, eine hinein'],
      ['Berg', 'zwei Aktionen hinaus, zwei hinein; zeigt die Felder ringsum'],
      ['Wasser', 'dorthin kann niemand'],
      ['Burg', 'wo du beginnst; zu der des anderen willst du'],
      ['Truhe', 'dein Schatz'],
      ['?', 'noch weiß niemand, was dort ist'],
    ],
  },
  santorini: {
    steps: [
      { say: 'Ihr baut Türme auf einer Insel. Wer auf eine dritte Ebene steigt, hat gewonnen.' },
      { say: 'Setze zuerst deine zwei Baumeister: Wähle für jeden ein Feld. Die Mitte ist ein guter Ort.', own: 1, mark: '.drawing' },
      { say: 'Ein Zug ist eine Bewegung und ein Bau. Wähle einen Baumeister, dann ein Nachbarfeld; es darf höchstens eine Ebene höher sein.' },
      { say: 'Dann baue eine Ebene auf ein Feld neben diesem Baumeister. Mach einen ganzen Zug und bestätige ihn.', own: 1, mark: '.drawing' },
      { say: 'Hinunter geht es beliebig weit, hinauf nur eine Ebene: Zum Gewinnen brauchst du eine zweite Ebene neben einer dritten.' },
      { say: 'Die vierte Ebene ist eine Kuppel. Dort kann niemand stehen: So hältst du auf, wer gleich gewinnt.' },
      ask,
      { say: 'Noch zwei Züge. Steig hinauf und achte auf die Baumeister des Bots.', own: 2, mark: '.drawing' },
      { say: 'Wer nicht mehr ziehen kann, hat verloren. Spiel später mit Göttern: Jeder hat einen, der eine Regel beugt. Jetzt gewinne!' },
    ],
    signs: [
      ['1 2 3', 'wie hoch ein Feld bebaut ist'],
      ['Kuppel', 'hier kann niemand mehr stehen'],
      ['◆ ●', 'Baumeister; jeder hat zwei'],
      ['gepunktet', 'wo vor dem letzten Zug etwas war'],
    ],
  },
  eriantys: {
    steps: [
      { say: 'Du willst deine Türme loswerden: Sie kommen auf Inseln, auf denen du den meisten Einfluss hast.' },
      { say: 'Eine Runde beginnt mit einem Assistenten. Seine Zahl sagt, wer zuerst dran ist (die kleinste), seine Schritte, wie weit Mutter Natur gehen darf. Spiel einen.', own: 1, mark: '.drawing' },
      { say: 'Nun bewegst du drei Schüler aus deinem Eingang, einen nach dem anderen: an einen Tisch deiner Schule oder auf eine Insel.' },
      { say: 'Wer die meisten Schüler einer Farbe an den Tischen hat, hat deren Professor. Nur mit ihm zählen Schüler dieser Farbe auf Inseln.' },
      { say: 'Nach den Schülern bewege Mutter Natur, dann nimm eine Wolke. Tu das alles und bestätige es.', own: 1, mark: '.drawing' },
      { say: 'Wo Mutter Natur anhält, wird Einfluss gezählt: Schüler deiner Farben und Türme. Wer am meisten hat, baut dort.' },
      { say: 'Benachbarte Inseln mit Türmen derselben Schule wachsen zusammen.' },
      ask,
      { say: 'Spiel noch eine Runde: einen Assistenten, dann einen Zug.', own: 2, mark: '.drawing' },
      { say: 'Es endet, wenn jemand alle Türme gebaut hat, wenn drei Inselgruppen übrig sind oder nach dem letzten Assistenten oder Schüler. Nur zu!' },
    ],
    signs: [
      ['Schüler', 'eine kleine Scheibe in einer von fünf Farben, jede mit ihrem Buchstaben'],
      ['Professor', 'das größere Stück am Ende eines Tisches; gehört dem, der dort die meisten Schüler hat'],
      ['Turm', 'gibt Einfluss auf seiner Insel; wer die wenigsten übrig hat, gewinnt'],
      ['Mutter Natur', 'steht auf der Insel, die zuletzt gezählt wurde'],
      ['Wolke', 'neue Schüler für deinen Eingang am Ende eines Zuges'],
      ['Münze', 'in der Variante für Erfahrene: bezahlt einen Charakter'],
    ],
  },
  renaissance: {
    steps: [
      { say: 'Du handelst und investierst in Florenz. Punkte bringen Karten, Glaube, Anführer und was du besitzt.' },
      { say: 'Behalte zuerst zwei deiner vier Anführer. Du spielst sie später, wenn du hast, was sie verlangen.', own: 1, mark: '.drawing' },
      { say: 'Ein Zug ist eines von dreien: Murmeln vom Markt nehmen, eine Karte kaufen oder produzieren.' },
      { say: 'Beginne mit dem Markt: Eine Zeile oder Spalte gibt dir für jede Murmel einen Rohstoff. Weiße geben nichts, rote einen Schritt Glauben. Nimm welche und lagere sie.', own: 1, mark: '.drawing' },
      { say: 'Deine drei Lager fassen einen, zwei und drei Rohstoffe, jedes von einer Art. Was nicht passt, wird weggeworfen, und die anderen bekommen Glauben dafür.' },
      { say: 'Karten kosten, was auf ihnen steht. Sie kommen auf einen Platz deines Bretts und verwandeln von da an Rohstoffe. Eine Karte der Stufe 2 liegt auf einer der Stufe 1.' },
      ask,
      { say: 'Spiel noch zwei Züge. Eine billige grüne oder lila Karte ist ein gutes Ziel.', own: 2, mark: '.drawing' },
      { say: 'Die Glaubensleiste gibt Punkte, und päpstliche Berichte noch mehr für alle, die weit genug sind, wenn jemand dort ankommt.' },
      { say: 'Sieben Karten oder das Ende der Glaubensleiste beenden das Spiel. Nur zu: Du weißt genug, um zu gewinnen.' },
    ],
    signs: [
      ['gelbe Murmel', 'eine Münze'],
      ['graue Murmel', 'ein Stein'],
      ['lila Murmel', 'ein Diener'],
      ['blaue Murmel', 'ein Schild'],
      ['rote Murmel', 'ein Schritt auf der Glaubensleiste'],
      ['weiße Murmel', 'nichts, wenn nicht ein Anführer etwas daraus macht'],
      ['★', 'Punkte'],
    ],
  },
};
