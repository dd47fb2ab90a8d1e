# Words for fish: the program itself is asked for its commands and options.
function __parlor_words
    set -l given (commandline -opc)
    set -l call $given[2]
    if test "$call" = bot
        set call bot $given[3]
    end
    parlor $call --help=words 2>/dev/null | while read -l -d \t name value choices help
        printf '%s\t%s\n' $name $help
    end
end
function __parlor_is_at
    test (count (commandline -opc)) -eq $argv[1]
end
complete -c parlor -f -n '__parlor_is_at 1' -a '(__parlor_words)'
complete -c parlor -f -n '__parlor_is_at 2; and string match -q bot -- (commandline -opc)[2]' -a '(__parlor_words)'
complete -c parlor -n 'not __parlor_is_at 1' -a '(__parlor_words)'
