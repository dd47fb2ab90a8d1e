// The words of the boards: what places, actions and positions of each game are called. Beside strings.ts, for the same reason.

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

const COLOR_WORDS: Record<string, string> = {
  BLUE: 'blue',
  FUCHSIA: 'pink',
  GREEN: 'green',
  RED: 'red',
  YELLOW: 'yellow',
};

function studentWords(students: [string, number][]): string {
  const some = students.filter(([, count]) => count > 0);
  if (some.length === 0) return 'no students';
  return some.map(([color, count]) => `${count} ${COLOR_WORDS[color] ?? color}`).join(', ');
}

const KIND_WORDS: Record<string, string> = {
  coins: 'coin',
  stones: 'stone',
  servants: 'servant',
  shields: 'shield',
  faith: 'faith',
};

function amountWords(kind: string, count: number): string {
  return `${count} ${KIND_WORDS[kind] ?? kind}${count === 1 || kind === 'faith' ? '' : 's'}`;
}

const joined = (names: string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;

export const boardWords = {
  /** The subjects of a sentence; null is whoever reads it. */
  who: (names: (string | null)[]) =>
    joined([...names.filter((name) => name === null).map(() => 'You'), ...names.filter((name) => name !== null)]),
  grid: {
    board: (rows: number, columns: number) => `Board of ${plural(rows, 'row', 'rows')} and ${plural(columns, 'column', 'columns')}`,
    cell: (name: string, text: string) => (text === '' ? name : `${name}: ${text}`),
    several: (name: string, text: string, count: number) =>
      `${text === '' ? name : `${name}: ${text}`}, ${plural(count, 'action', 'actions')}`,
    takeBack: (name: string) => `${name} is chosen; take it back`,
    choose: 'Choose a cell.',
    chooseNext: (chosen: string) => `${chosen}: choose the next cell, or this one again to take it back.`,
  },
  soccer: {
    board: (x: number, y: number) => `Pitch; the ball is at column ${x}, row ${y} from the centre`,
    scores: (name: string) => (name === '' ? 'goal' : `${name} scores here`),
    scored: (who: string) => `${who} brought the ball into the goal`,
    ownGoal: (who: string) => `${who} brought the ball into the wrong goal`,
    stuck: (who: string) => `The ball is stuck, and ${who === 'You' ? 'you' : who} drew the last line`,
    toGoal: 'into the goal, you win',
    toOwnGoal: 'into your own goal, you lose',
    toBounce: 'bounces, you go on',
    toStop: 'ends your turn',
    directions: {
      N: 'up',
      NE: 'up right',
      E: 'right',
      SE: 'down right',
      S: 'down',
      SW: 'down left',
      W: 'left',
      NW: 'up left',
    } as Record<string, string>,
    arrows: { N: '↑', NE: '↗', E: '→', SE: '↘', S: '↓', SW: '↙', W: '←', NW: '↖' } as Record<string, string>,
    hint: (isTop: boolean) =>
      `Bring the ball into the ${isTop ? 'top' : 'bottom'} goal. Rings bounce, dots end your turn.`,
  },
  hunt: {
    board: 'Map',
    go: (direction: string, done: number) =>
      done === 0
        ? `Go ${direction}`
        : `Go on ${direction}, ${plural(done, 'action', 'actions')} of effort so far`,
    moves: { up: '↑ up', down: '↓ down', left: '← left', right: '→ right' } as Record<string, string>,
    half: 'send a half of the map',
    halfOf: (name: string, isMine: boolean) => (isMine ? 'your half' : `half of ${name}`),
    hidden: 'hides the treasures',
    fort: 'draws a fort',
    faked: 'spreads rumours about positions',
    joined: 'lays out the map',
    enterSeed: 'let chance draw my half of the map',
    enterCourse: 'draw my half of the map myself',
    secret: 'a secret move',
    status: (name: string, collected: boolean, actions: number) =>
      `${name}: ${collected ? 'has the treasure' : 'without treasure'}, ${plural(actions, 'action', 'actions')}`,
    left: (done: number, max: number) => `${done} of ${max} actions used by both`,
    fog: 'hatched: not seen yet',
    endings: {
      limit: 'All actions are used up',
    } as Record<string, string>,
    reached: (who: string, other: string | null) =>
      `${who} reached ${other === null ? 'your fort' : `the fort of ${other}`} with the treasure`,
    onTheWay: (direction: string, done: number) =>
      `On your way ${direction}: ${plural(done, 'action', 'actions')} so far. Another direction starts from nothing.`,
    directions: { up: 'up', down: 'down', left: 'left', right: 'right' } as Record<string, string>,
    findTreasure: 'Find your treasure: it lies on grass in your half, where you have not been yet.',
    findFort: 'You have the treasure! Now find the other fort, somewhere in their half.',
    reachFort: 'You have the treasure. Reach the other fort!',
    editor: {
      title: 'Your half of the map',
      hint: (isStacked: boolean, isOrigin: boolean, other: string) =>
        `Draw your half of the map and send it. It lies ${isStacked ? (isOrigin ? 'above' : 'below') : isOrigin ? 'left of' : 'right of'} the half of ${other}.`,
      brushes: { G: 'Grass', M: 'Mountain', W: 'Water', F: 'Fort' } as Record<string, string>,
      brushKeys: 'Paint with',
      terrain: { G: 'grass', M: 'mountain', W: 'water' } as Record<string, string>,
      field: (column: number, row: number, terrain: string, hasFort: boolean) =>
        `Column ${column}, row ${row}: ${terrain}${hasFort ? ', your fort' : ''}`,
      count: (name: string, count: number, least: number) => `${name}: ${count} of at least ${least}`,
      allowed: 'This half keeps all rules.',
      asking: 'Checking …',
      doubtful: 'It could not be checked just now.',
      refused: (reason: string, rule: string) => `Not yet: ${reason}${rule === '' ? '' : ` (${rule})`}.`,
      send: 'Send this half',
      sample: 'Draw one for me',
      clear: 'Begin with grass only',
      examples: 'Or begin with one of these',
      example: (number: number) => `Begin with example ${number}`,
      keys: 'Click or drag to paint. Keys: arrows move, Enter paints, G M W F paint grass, mountain, water and the fort.',
    },
  },
  santorini: {
    board: 'Board of five by five fields',
    columns: 'ABCDE',
    cell: (row: number, column: number) => `${'ABCDE'[column - 1] ?? column}${row}`,
    chooseBuilder: (number: number, cell: string) => `Choose builder ${number} in ${cell}`,
    climbed: (who: string) => `${who} climbed to the third level`,
    byPower: (who: string, god: string) => `The power of ${god === '' ? 'a god' : god} decided for ${who === 'You' ? 'you' : who}`,
    stuck: (who: string) => `${who} had no move left`,
    endings: { length: 'It has taken too long' } as Record<string, string>,
    bornUnknown: 'does not say when born',
    bornOn: (date: string) => `born on ${date}`,
    offer: (god: string) => `bring ${god} into play`,
    take: (god: string) => `take ${god}`,
    draws: (god: string) => `${god} for Chaos`,
    start: (name: string) => `${name} begins`,
    color: (color: string) => `play ${color.toLowerCase().replace('_', ' ')}`,
    place: (cell: string) => `place a builder in ${cell}`,
    move: (builder: string, cell: string) =>
      builder === '3' ? `lead the other builder to ${cell}` : `builder ${builder} to ${cell}`,
    build: (cell: string) => `build in ${cell}`,
    dome: (cell: string) => `put a dome in ${cell}`,
    force: (cell: string) => `bring the builder from ${cell} across`,
    remove: (cell: string) => `remove a block in ${cell}`,
    borrow: (cell: string) => `lead the builder of ${cell} for a turn`,
    end: 'end the turn',
    hasPower: (god: string) => `now ${god}`,
    named: 'in play',
    phases: {
      offer: 'Choose the gods of this game, one for each player.',
      take: 'Take one of the gods.',
      start: 'Who begins?',
      color: 'Choose a colour.',
      place: 'Place a builder.',
    } as Record<string, string>,
    hintChoose: 'Choose a builder.',
    hintMove: 'Move to a marked field.',
    hintMoveOr: 'Move, or use the power of your god.',
    hintBuild: 'Build on a marked field.',
    hintBuildOrEnd: 'Go on, or end the turn.',
  },
  eriantys: {
    mother: 'Mother Nature',
    colors: COLOR_WORDS,
    island: (id: number, size: number, tower: string, students: [string, number][], isHome: boolean) =>
      `Island ${id + 1}${size > 1 ? `, ${size} joined` : ''}${tower === '' ? '' : `, ${tower.toLowerCase()} towers`}: ${studentWords(students)}${isHome ? ', Mother Nature' : ''}`,
    cloud: (number: number, students: [string, number][]) => `Cloud ${number}: ${studentWords(students)}`,
    takeCloud: (number: number) => `take cloud ${number}`,
    chooseStudent: (color: string, isChosen: boolean) =>
      `${studentWords([[color, 1]])} in the entrance${isChosen ? ', chosen' : ''}`,
    dining: (color: string, count: number, hasProfessor: boolean) =>
      `Table ${studentWords([[color, count]])}${hasProfessor ? ', with the professor' : ''}`,
    school: (name: string) => `School of ${name}`,
    partner: (name: string, isMine: boolean) => (isMine ? 'your partner' : `partner of ${name}`),
    hand: 'Your assistants',
    assistant: (value: number) => `assistant ${value}, ${plural(Math.ceil(value / 2), 'step', 'steps')}`,
    playedAssistant: (value: number) => `plays ${value}`,
    handLeft: (count: number) => plural(count, 'assistant left', 'assistants left'),
    coins: (count: number) => plural(count, 'coin', 'coins'),
    toDining: (color: string) => `${color} student to the dining room`,
    toIsland: (color: string, id: number) => `${color} student to island ${id + 1}`,
    moveMother: (id: number) => `Mother Nature to island ${id + 1}`,
    pay: (cost: number) => `Pay ${plural(cost, 'coin', 'coins')}`,
    pays: (title: string) => `pay the ${title}`,
    monk: (color: string, id: number) => `${color} student from the Monk to island ${id + 1}`,
    herald: (id: number) => `resolve island ${id + 1}`,
    ban: (id: number) => `no entry on island ${id + 1}`,
    ignore: (color: string) => `${color} gives no influence`,
    returns: (color: string) => `${color} students go back to the bag`,
    swapsIn: (color: string) => `${color} student into the entrance`,
    swapsOut: (color: string) => `${color} student out of the entrance`,
    monkChoose: 'Student for an island:',
    ignoreChoose: 'Without influence:',
    returnChoose: 'Back to the bag:',
    princessChoose: 'To your dining room:',
    swapIn: 'Into the entrance:',
    swapOut: 'Out of the entrance:',
    bansLeft: (count: number) => `${plural(count, 'no-entry tile', 'no-entry tiles')} left`,
    draws: (name: string, place: string, letters: string) =>
      `draws ${letters.length} for ${name === '' ? `a ${place}` : name}`,
    drawsIslands: 'puts a student on ten islands',
    drawsCharacters: (titles: string[]) => `chooses ${titles.join(', ')}`,
    round: (number: number, isLast: boolean) => `Round ${number}${isLast ? ', the last' : ''}`,
    bag: (count: number) => `${plural(count, 'student', 'students')} in the bag`,
    ending: (by: string, who: string, isMany: boolean) => {
      if (by === 'towers') return `${who} built the last tower`;
      const why = {
        groups: 'Only three groups of islands are left',
        bag: 'The bag is empty',
        assistants: 'The assistants are used up',
      }[by];
      const whose = who === '' ? '' : `, and ${who === 'You' ? 'you' : who} ${isMany ? 'are' : 'is'} ahead`;
      return why === undefined ? '' : why + whose;
    },
    tally: { professors: 'Professors (most of them decide a tie)', towers: 'Towers still to build (the fewest win)' },
    hintWhere: 'Where to? An island, or the table of this colour.',
    hintStudents: (left: number) => `Choose a student of your entrance (${left} to go).`,
    hintMother: (steps: number) => `Move Mother Nature, up to ${plural(steps, 'island', 'islands')}.`,
    hints: { planning: 'Play an assistant.', 'choose-cloud': 'Take a cloud.' } as Record<string, string>,
    characters: {
      1: { title: 'Monk', text: 'Put one of these students on any island.' },
      2: { title: 'Farmer', text: 'This turn you win ties for professors.' },
      3: { title: 'Herald', text: 'Resolve any island as if Mother Nature stood there.' },
      4: { title: 'Messenger', text: 'Mother Nature may go two islands further.' },
      5: {
        title: 'Herbalist',
        text: 'Put a no-entry tile on an island; the next resolution there is skipped.',
      },
      6: { title: 'Centaur', text: 'This turn towers give no influence.' },
      7: { title: 'Jester', text: 'Swap up to three of these students with your entrance.' },
      8: { title: 'Knight', text: 'This turn you have two more influence.' },
      9: { title: 'Mushroom seller', text: 'One colour gives no influence this turn.' },
      10: { title: 'Minstrel', text: 'Swap up to two students between entrance and dining room.' },
      11: { title: 'Princess', text: 'Put one of these students into your dining room.' },
      12: { title: 'Thief', text: 'Everybody puts up to three students of a colour back into the bag.' },
    } as Record<number, { title: string; text: string }>,
  },
  renaissance: {
    market: 'Market',
    cards: 'Development cards',
    faithTrack: 'Faith',
    freeMarble: 'The free marble: it is pushed in',
    strongbox: 'Strongbox',
    kinds: KIND_WORDS,
    amount: amountWords,
    colours: { purple: 'purple', yellow: 'yellow', green: 'green', blue: 'blue' } as Record<string, string>,
    colourMarks: { purple: '◆', yellow: '★', green: '♣', blue: '●' } as Record<string, string>,
    marbles: {
      W: 'white',
      R: 'red (faith)',
      B: 'blue (shield)',
      Y: 'yellow (coin)',
      G: 'grey (stone)',
      P: 'purple (servant)',
    } as Record<string, string>,
    takeLine: (line: string, number: number, marbles: string) => `Take ${line} ${number}: ${marbles}`,
    card: (
      id: string,
      colour: string,
      level: number,
      cost: string,
      input: string,
      output: string,
      points: number,
    ) =>
      `${colour} card of level ${level} (${id}): costs ${cost}; turns ${input} into ${output}; ${plural(points, 'point', 'points')}`,
    buyCard: (card: string) => `Buy the ${card}`,
    produce: (card: string) => `Produce with the ${card}`,
    tile: (points: number) => `Vatican report: ★${points}`,
    faithOf: (name: string, space: number) => `${name} on ${space}`,
    lorenzo: (space: number, token: string) =>
      `Lorenzo is on space ${space}${token === '' ? '' : `; last token: ${token}`}`,
    depot: (number: number, held: string) => `Depot ${number}: ${held === '' ? 'empty' : held}`,
    boardOf: (name: string) => `Board of ${name}`,
    points: (count: number) => plural(count, 'point', 'points'),
    away: 'away',
    hiddenLeader: 'a hidden leader',
    leaderStates: { played: 'in play', hand: 'in hand' },
    abilities: {
      discount: 'Discount',
      store: 'Depot',
      exchange: 'White marble',
      production: 'Production',
    } as Record<string, string>,
    abilityTexts: {
      discount: (kind: string) => `Cards cost one ${kind} less.`,
      store: (kind: string) => `A depot for two ${kind}s.`,
      exchange: (kind: string) => `White marbles are ${kind}s.`,
      production: (kind: string) => `One ${kind} becomes one of anything, and one faith.`,
    } as Record<string, (kind: string) => string>,
    asks: 'Needs',
    levelTwo: ' of level 2',
    push: (line: string, number: number, whites: string) =>
      `take ${line} ${number}${whites === '' ? '' : `, ${whites} white for the first leader`}`,
    fill: (depot: number, kind: string, count: number) => `${amountWords(kind, count)} into depot ${depot}`,
    fillNone: (depot: number) => `leave depot ${depot} empty`,
    buy: (colour: string, level: number, slot: number) => `${colour} card of level ${level} for slot ${slot}`,
    base: (a: string, b: string, gain: string) => `base production: ${a} and ${b} for ${gain}`,
    useCard: (slot: number) => `production of slot ${slot}`,
    useLeader: (kind: string) => `production of a leader: ${kind}`,
    run: 'start the production',
    pay: (kind: string, base: number, leader: number, box: number) =>
      `${kind}: ${[base > 0 ? `${base} from the depots` : '', leader > 0 ? `${leader} from a leader` : '', box > 0 ? `${box} from the strongbox` : ''].filter((part) => part !== '').join(', ')}`,
    play: (leader: string) => `play the leader ${leader}`,
    discard: (leader: string) => `discard the leader ${leader} for faith`,
    keep: (a: string, b: string) => `keep ${a} and ${b}`,
    put: (kind: string, depot: number) => `${kind} into depot ${depot}`,
    end: 'end the turn',
    lays: 'fills the market',
    shows: 'lays out the cards',
    deals: (name: string) => `deals leaders to ${name}`,
    reveals: 'turns a new card',
    turnsToken: 'turns a token for Lorenzo',
    mostPoints: (who: string, isMany: boolean) => `${who} ${isMany ? 'are' : 'is'} ahead on points`,
    endings: {
      'solo-won': 'You had seven cards, or the end of the faith track, before Lorenzo',
      'solo-faith': 'Lorenzo has reached the end of the faith track',
      'solo-cards': 'Lorenzo has taken all cards of a colour',
    } as Record<string, string>,
    tally: {
      cards: 'Development cards',
      faith: 'Faith track',
      tiles: 'Vatican reports',
      leaders: 'Leaders',
      resources: 'Five resources each',
      all: 'Points',
    },
    hintKeep: 'Keep two leaders.',
    hiddenLeaders: (count: number) => plural(count, 'hidden leader in hand', 'hidden leaders in hand'),
    hintPut: (count: number) => `Choose ${plural(count, 'starting resource', 'starting resources')}.`,
    hints: {
      before: 'Take marbles, buy a card, or produce.',
      arranging: 'Fill your depots one by one; what is left over is discarded.',
      choosing: 'More productions, or start.',
      paying: 'Pay.',
      after: 'Play or discard leaders, or end the turn.',
    } as Record<string, string>,
    choosePut: 'Which resource, and into which depot?',
    fillDepot: (number: number) => `Depot ${number} gets`,
    pool: 'To be stored:',
    nothing: 'nothing',
    payTitle: 'Pay from where?',
    owed: 'Still to pay:',
    baseTitle: 'Base production',
    baseFirst: 'Pay',
    baseSecond: 'and',
    baseGain: 'for',
  },
};
