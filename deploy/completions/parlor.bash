# Words for bash: the program itself is asked for its commands and options, so they are those of the version that is installed.
_parlor() {
    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words
    local -a call=("${COMP_WORDS[@]:1:1}")
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(parlor --help=words 2>/dev/null | cut -f1)" -- "$current")
        return
    fi
    if [ "${COMP_WORDS[1]}" = bot ]; then
        if [ "$COMP_CWORD" -eq 2 ]; then
            mapfile -t COMPREPLY < <(compgen -W "$(parlor bot --help=words 2>/dev/null | cut -f1)" -- "$current")
            return
        fi
        call=(bot "${COMP_WORDS[2]}")
    fi
    words=$(parlor "${call[@]}" --help=words 2>/dev/null | awk -F '\t' -v name="$previous" '$1 == name { gsub(",", " ", $3); print $3; exit }')
    if [ -n "$words" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    elif [ "${current#-}" != "$current" ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(parlor "${call[@]}" --help=words 2>/dev/null | cut -f1)" -- "$current")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
    fi
}
complete -F _parlor parlor
